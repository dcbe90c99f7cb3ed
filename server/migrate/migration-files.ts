import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '../platform/start-error.ts'

/** A migration's `name` is like `0018_name`, and `when` is the time in the journal. */
export type Known = { name: string; when: number }

export type Migration = Known & {
  text: string
  /** The number of the newest migration that code must know to work with the schema after it. */
  oldestCode: string
}

export const ourMigrations = fileURLToPath(new URL('migrations', import.meta.url))

export function numberOf({ name }: { name: string }) {
  return name.slice(0, 4)
}

/** Lists the migrations without reading them. */
export async function listMigrations(folder: string): Promise<Known[]> {
  const journal = await readFile(join(folder, 'meta', '_journal.json'), 'utf8')
  const { entries } = JSON.parse(journal) as { entries: { tag: string; when: number }[] }
  return entries.map(({ tag, when }) => ({ name: tag, when }))
}

export async function readMigration(folder: string, known: Known): Promise<Migration> {
  const text = await readFile(join(folder, `${known.name}.sql`), 'utf8')
  const oldestCode = /^-- Works with code since: (\d{4})$/.exec(text.split('\n', 1)[0]!)?.[1]
  if (oldestCode !== undefined && oldestCode <= numberOf(known))
    return { ...known, text, oldestCode }
  throw new StartError(
    `The migration ${known.name} must begin with the line "-- Works with code since: NNNN", where NNNN is its own number or a lower one. CONTRIBUTING.md says how to choose it.`,
  )
}
