import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import journal from '../server/migrate/migrations/meta/_journal.json' with { type: 'json' }
import { core, listSeries } from '../server/migrate/series.ts'

export const first = journal.entries[0]!
export const beforeLast = journal.entries.at(-2)!
export const last = journal.entries.at(-1)!

/** The number of the newest migration of this version, and of those after it. */
export const newest = numbered(last.idx)
export const next = numbered(last.idx + 1)
export const afterNext = numbered(last.idx + 2)

/** The numbers of all up to the newest. */
export const numbers = journal.entries.map(({ idx }) => numbered(idx))
export const total = numbers.length

/** The first line of a migration, which says which code works with the schema after it. */
export const since = (number: string) => `-- Works with code since: ${number}\n`

/** The core's series, or what of it goes up to the number `until`, with `more` migrations. */
export async function aCore({ until = newest, more = [] as string[] }) {
  const entries = journal.entries.filter(({ tag }) => tag.slice(0, 4) <= until)
  const folder = await aFolder()
  await cp(listSeries()[0]!.folder, folder, { recursive: true })
  await writeMigrations(folder, entries, more)
  return { name: core, folder }
}

/** The series of a module that is not here. Its first migration has the time `when`. */
export async function aModule(name: string, texts: string[], when = last.when + 500_000) {
  const folder = await aFolder()
  await mkdir(join(folder, 'meta'))
  await writeMigrations(folder, [], texts, when)
  return { name, folder }
}

async function writeMigrations(
  folder: string,
  entries: typeof journal.entries,
  texts: string[],
  when = 0,
) {
  const all = entries.map(({ idx, when, tag }) => ({ idx, when, tag }))
  for (const text of texts) {
    const former = all.at(-1) ?? { idx: 0, when: when - 1000 }
    const tag = `${numbered(former.idx + 1)}_of-a-test`
    all.push({ idx: former.idx + 1, when: former.when + 1000, tag })
    await writeFile(join(folder, `${tag}.sql`), text)
  }
  await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify({ entries: all }))
}

async function aFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'app-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

function numbered(index: number) {
  return String(index).padStart(4, '0')
}
