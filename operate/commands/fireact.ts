import { writeFile } from 'node:fs/promises'
import { readFireact } from '../moving/fireact.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { print } from '../../server/platform/terminal.ts'
import { exitWith } from '../../server/running/announce.ts'
import { argumentsOf } from './run-tool.ts'

/** Writes the file of an import from the exports of fireact. Returns the text to print. */
export async function fireact(folder: string, path: string, plans = '') {
  const { file, leftOut } = await readFireact(folder, plansIn(plans))
  // The file has the hashes of passwords: it is for its owner alone, and replaces no other.
  const options = { mode: 0o600, flag: 'wx' }
  await writeFile(path, JSON.stringify(file, null, 2), options).catch(
    (error: { code?: string }) => {
      throw new StartError(`${path} can’t be written (${error.code}).`)
    },
  )
  const { users, projects } = file
  const isWithout = !users.some(({ passwordHash }) => passwordHash !== undefined)
  return [
    `Wrote ${path}: ${users.length} people and ${projects.length} projects.`,
    ...(isWithout ? ['It has no passwords, because the folder has no hash.txt.'] : []),
    ...leftOut.map((line) => `Left out: ${line}`),
    `Next: npm run admin -- import ${path} check`,
  ].join('\n')
}

/** Like `starter=free,business=pro`. */
function plansIn(text: string) {
  const pairs = text.split(',').filter(Boolean)
  return new Map(
    pairs.map((pair) => {
      const [theirs, ours, ...more] = pair.split('=')
      if (!theirs || !ours || more.length > 0)
        throw new StartError(`“${pair}” is not like starter=free.`)
      return [theirs, ours]
    }),
  )
}

if (import.meta.main)
  try {
    const { words, values, help } = argumentsOf('fireact')(process.argv.slice(2))
    const [folder, path] = words
    print(help ?? (await fireact(folder!, path!, values['plans'])))
  } catch (error) {
    exitWith(error)
  }
