import type pg from 'pg'
import { StartError } from '../platform/start-error.ts'
import { titleOf, type Migration, type Named } from './migration-files.ts'
import { core } from './series.ts'

/** A migration that the database has, by the hash of its text. */
export type Applied = Named & { hash: string }

/** Lists what the database has, which servers before 0024 noted by `when` alone. */
export async function listApplied(client: pg.Client, known: Migration[]): Promise<Applied[]> {
  if (await exists(client, 'public.migrations'))
    return (await client.query<Applied>('select series, name, hash from migrations')).rows
  if (!(await exists(client, 'drizzle.__drizzle_migrations'))) return []
  const { rows } = await client.query<{ when: number }>(
    'select created_at::float8 "when" from drizzle.__drizzle_migrations',
  )
  const first = known.find(({ series }) => series === core)!
  if (!rows.some(({ when }) => when >= first.when))
    throw new StartError('This database is older than version 1.0.0. Start 1.0.0 on it first.')
  return known
    .filter((migration) => rows.some(({ when }) => when === migration.when))
    .map(({ series, name, hash }) => ({ series, name, hash }))
}

/** The migrations that the database lacks. Two series are never compared. */
export function choosePending(known: Migration[], applied: Applied[]) {
  const hashes = new Map(applied.map((one) => [titleOf(one), one.hash]))
  const pending: Migration[] = []
  for (const migration of known) {
    const title = titleOf(migration)
    const hash = hashes.get(title)
    const gap = pending.find(({ series }) => series === migration.series)
    if (hash === undefined) pending.push(migration)
    else if (gap)
      throw new StartError(
        `The database lacks the migration ${titleOf(gap)} and has ${title}, which comes after it. Put your own migrations into the folder of a module: docs/upgrading.md says how.`,
      )
    else if (hash !== migration.hash)
      throw new StartError(
        `The migration ${title} is not the one that this database has: its text was changed since. Put the former text back, and what is to change into a new migration.`,
      )
  }
  return pending
}

export async function exists(client: pg.Client, name: string) {
  const { rows } = await client.query<{ exists: boolean }>(
    'select to_regclass($1) is not null "exists"',
    [name],
  )
  return rows[0]!.exists
}
