import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { StartError } from '../../server/platform/start-error.ts'
import { listApplied } from '../../server/migrate/applied.ts'
import { includes, readMigrations } from '../../server/migrate/migration-files.ts'
import { core, listSeries, type Series } from '../../server/migrate/series.ts'
import { build } from '../../server/platform/version.ts'
import { exists, listSequences, listTables, prepareSession } from './catalogue.ts'
import { beginOf, copyOf, endOfRows, headerLine, quoted, rowsLine, type Rows } from './format.ts'
import type { Progress } from './progress.ts'

type Snapshot = Awaited<ReturnType<typeof openSnapshot>>

/** Opens a transaction that sees the database of one moment. It ends with the connection. */
export async function openSnapshot(client: pg.Client, series = listSeries()) {
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
    ...(await findMigrations(client, series)),
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

async function findMigrations(client: pg.Client, series: Series[]) {
  const known = await readMigrations(series)
  const found = await listApplied(client, known)
  const applied = found.map(({ series, name }) => ({ series, name }))
  const isHere = (one: { series: string }) => series.some(({ name }) => name === one.series)
  const newest = known.findLast((one) => one.series === core && includes(applied, one))
  if (!newest || applied.some((one) => isHere(one) && !includes(known, one)))
    throw new StartError(
      'A newer version has changed the tables of this database. Back it up with that version.',
    )
  return { migration: { name: newest.name, when: newest.when }, applied }
}
