import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { StartError } from '../../server/platform/start-error.ts'
import { listMigrations, ourMigrations } from '../../server/migrate/migration-files.ts'
import { build } from '../../server/platform/version.ts'
import { exists, listSequences, listTables } from './catalogue.ts'
import { beginOf, copyOf, endOfRows, headerLine, quoted, rowsLine, type Rows } from './format.ts'
import type { Progress } from './progress.ts'
import { prepareSession } from './session.ts'

type Snapshot = Awaited<ReturnType<typeof openSnapshot>>

/** Opens a transaction that sees the database of one moment. It ends with the connection. */
export async function openSnapshot(client: pg.Client) {
  if (!(await exists(client, 'public.installation')))
    throw new StartError('There is nothing to back up: no server has run on this database yet.')
  const names = (await listTables(client)).map(({ name }) => quoted(name))
  await prepareSession(client)
  await client.query('begin isolation level repeatable read read only')
  // The moment is that of the next question. With these locks, no migration changes a table later.
  await client.query(`lock table ${names.join(', ')} in access share mode`)
  return {
    takenAt: new Date().toISOString(),
    product: build,
    postgres: await versionOf(client),
    migration: await findMigration(client),
    tables: await listTables(client),
    sequences: await listSequences(client),
  }
}

/** The text of a backup. It notes in `rows` how many rows each table has. */
export async function* textOf(
  client: pg.Client,
  snapshot: Snapshot,
  { rows, progress }: { rows: Rows; progress: Progress },
) {
  yield Buffer.from(`${headerLine(snapshot)}\n`)
  const copies: [string, { rowCount: number }][] = []
  for (const table of snapshot.tables) {
    const copy = client.query(to(`${copyOf(table)} TO STDOUT`))
    copies.push([table.name, copy])
    yield Buffer.from(`${beginOf(table)}\n`)
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      progress.count(chunk.length, table.name)
      yield chunk
    }
    yield Buffer.from(`${endOfRows}\n`)
  }
  // The last count comes with the next answer.
  await client.query('commit')
  for (const [name, { rowCount }] of copies) rows[name] = rowCount
  yield Buffer.from(`${rowsLine(rows)}\n`)
}

async function versionOf(client: pg.Client) {
  const { rows } = await client.query<{ version: string }>(
    `select split_part(current_setting('server_version'), ' ', 1) version`,
  )
  return rows[0]!.version
}

async function findMigration(client: pg.Client) {
  const { rows } = await client.query<{ when: number }>(
    'select max(created_at)::float8 "when" from drizzle.__drizzle_migrations',
  )
  const { when } = rows[0]!
  const known = await listMigrations(ourMigrations)
  const migration = known.find((other) => other.when === when)
  if (!migration)
    throw new StartError(
      'A newer version has changed the tables of this database. Back it up with that version.',
    )
  return migration
}
