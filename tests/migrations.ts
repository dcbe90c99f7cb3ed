import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import journal from '../server/migrate/migrations/meta/_journal.json' with { type: 'json' }
import { ourMigrations } from '../server/migrate/migration-files.ts'

export const first = journal.entries[0]!
export const last = journal.entries.at(-1)!

/** The number of the newest migration of this version, and of those after it. */
export const newest = numbered(last.idx)
export const next = numbered(last.idx + 1)
export const afterNext = numbered(last.idx + 2)

/** How many there are up to the newest. */
export const total = journal.entries.length

/** The first line of a migration, which says which code works with the schema after it. */
export const since = (number: string) => `-- Works with code since: ${number}\n`

/** Makes a folder with our migrations, or those up to the number `until`, and with `more` of them. */
export async function aFolderOfMigrations({ until = newest, more = [] as string[] }) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(ourMigrations, folder, { recursive: true })
  const path = join(folder, 'meta', '_journal.json')
  const copy = JSON.parse(await readFile(path, 'utf8')) as typeof journal
  copy.entries = copy.entries.filter(({ tag }) => tag.slice(0, 4) <= until)
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
