import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import journal from '../server/migrate/migrations/meta/_journal.json' with { type: 'json' }
import { ourMigrations } from '../server/migrate/migration-files.ts'

/** The number of the newest migration of this version, and of those after it. */
export const newest = numbered(journal.entries.length - 1)
export const next = numbered(journal.entries.length)
export const afterNext = numbered(journal.entries.length + 1)

/** The first line of a migration, which says which code works with the schema after it. */
export const since = (number: string) => `-- Works with code since: ${number}\n`

/** Makes a folder with our migrations, or those up to the number `last`, and with `more` of them. */
export async function aFolderOfMigrations({ last = newest, more = [] as string[] }) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(ourMigrations, folder, { recursive: true })
  const path = join(folder, 'meta', '_journal.json')
  const copy = JSON.parse(await readFile(path, 'utf8')) as typeof journal
  copy.entries = copy.entries.filter(({ tag }) => tag.slice(0, 4) <= last)
  for (const text of more) {
    const { idx, when, ...entry } = copy.entries.at(-1)!
    const tag = `${numbered(idx + 1)}_of-a-test`
    copy.entries.push({ ...entry, idx: idx + 1, when: when + 1000, tag })
    await writeFile(join(folder, `${tag}.sql`), text)
  }
  await writeFile(path, JSON.stringify(copy))
  return folder
}

function numbered(index: number) {
  return String(index).padStart(4, '0')
}
