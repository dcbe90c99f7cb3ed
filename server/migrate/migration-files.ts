import { readMigrationFiles } from 'drizzle-orm/migrator'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '../platform/start-error.ts'

/** A migration's `name` is like `0016_name`, and `when` is the time in the journal. */
export type Known = { name: string; when: number }

export type Migration = Known & {
  hash: string
  statements: string[]
  /** The number of the newest migration that code must know to work with the schema after it. */
  oldestCode: string | undefined
}

export const ourMigrations = fileURLToPath(new URL('migrations', import.meta.url))

/** The first migration that says which code works with the schema after it. */
const firstWithRule = '0016'

export function numberOf({ name }: Known) {
  return name.slice(0, 4)
}

/** Lists the migrations without reading them. */
export async function listMigrations(folder: string): Promise<Known[]> {
  const journal = await readFile(join(folder, 'meta', '_journal.json'), 'utf8')
  const { entries } = JSON.parse(journal) as { entries: { tag: string; when: number }[] }
  return entries.map(({ tag, when }) => ({ name: tag, when }))
}

/** `known` are all migrations of the folder, or the first ones. */
export function readMigrations(folder: string, known: Known[]): Migration[] {
  const files = readMigrationFiles({ migrationsFolder: folder })
  return known.map((entry, index) => {
    const { sql, hash } = files[index]!
    return { ...entry, hash, statements: sql, oldestCode: oldestCodeFor(entry, sql[0]!) }
  })
}

function oldestCodeFor(migration: Known, text: string) {
  const number = numberOf(migration)
  const oldest = /^-- Works with code since: (\d{4})$/m.exec(text.split('\n', 1)[0]!)?.[1]
  if (number < firstWithRule || (oldest && oldest <= number)) return oldest
  throw new StartError(
    `The migration ${migration.name} must begin with the line "-- Works with code since: NNNN", where NNNN is its own number or a lower one. CONTRIBUTING.md says how to choose it.`,
  )
}
