import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'
import { StartError } from '../../server/platform/start-error.ts'
import { exists, listTables, notInBackups, prepareSession } from './catalogue.ts'
import {
  beginOf,
  copyOf,
  quoted,
  readRows,
  type Rows,
  type Sequence,
  type Table,
} from './format.ts'
import type { Named } from '../../server/migrate/migration-files.ts'
import { isTableOf } from '../../server/migrate/series.ts'
import type { Progress } from './progress.ts'
import type { Backup } from './read-backup.ts'
import { requireEmpty } from './require-empty.ts'
import { Damaged } from './seal.ts'

type Source = Omit<Backup, 'close'> & {
  progress: Progress
  /** Runs once the rows are there. */
  settle: () => Promise<void>
}
type Reading = Omit<Source, 'known' | 'settle'>

/**
 * Puts the rows of a backup in the place of those that a server wrote by itself, all or none.
 * Returns how many rows each table got, and which tables no migration here makes.
 */
export async function load(client: pg.Client, { settle, ...source }: Source) {
  const { header } = source
  await prepareSession(client)
  await client.query('begin')
  try {
    // A server that starts now waits here.
    if (await exists(client, 'public.servers'))
      await client.query('lock table servers in exclusive mode')
    await requireEmpty(client, source)
    const { ours, foreign } = await match(client, source)
    const names = ours.map(({ name }) => quoted(name))
    await client.query(`truncate ${names.join(', ')}`)
    // They would tell live pages and the job queue of each row. References are checked nevertheless.
    await setTriggers(client, 'disable', names)
    const loaded = await loadRows(client, source, ours)
    await setTriggers(client, 'enable', names)
    for (const sequence of header.sequences) await setSequence(client, sequence)
    await settle()
    await client.query('commit')
    return { rows: loaded, foreign }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Tells the tables that migrations have made from those that somebody else has made. */
async function match(client: pg.Client, { header, known }: Pick<Source, 'header' | 'known'>) {
  const { tables, product } = header
  const there = new Map((await listTables(client)).map(({ name, columns }) => [name, columns]))
  const ours = tables.filter(({ name }) => there.has(name))
  for (const { name, columns } of ours) {
    const missing = columns.find((column) => !there.get(name)!.includes(column))
    if (missing !== undefined)
      throw new StartError(
        `The backup has a column ${name}.${missing} and the database has none. Restore it with version ${product}, which made it, and then upgrade; a column that you have added yourself you add here first.`,
      )
  }
  const names = new Set([...ours.map(({ name }) => name), notInBackups])
  const absent = header.applied.filter((one) => !known.some(({ series }) => series === one.series))
  const foreign = tables
    .filter(({ name }) => !names.has(name))
    .map(({ name }) => {
      const isOf = ({ series }: Named) => isTableOf(series, name.replace('public.', ''))
      return { name, module: absent.find(isOf)?.series }
    })
  return { ours, foreign }
}

async function loadRows(client: pg.Client, { header, reader, progress }: Reading, ours: Table[]) {
  const rows: Rows = {}
  for (const table of header.tables) {
    if ((await reader.line()) !== beginOf(table)) throw new Damaged()
    if (ours.includes(table)) rows[table.name] = await copy(client, table, { reader, progress })
    else for await (const _ of reader.rows());
  }
  const counted = readRows(await reader.line())
  for (const [name, count] of Object.entries(rows)) if (counted[name] !== count) throw new Damaged()
  await reader.end()
  return rows
}

async function copy(
  client: pg.Client,
  table: Table,
  { reader, progress }: Omit<Reading, 'header'>,
) {
  const into = client.query(from(`${copyOf(table)} FROM STDIN`))
  await pipeline(async function* () {
    for await (const rows of reader.rows()) {
      progress.count(rows.length, table.name)
      yield rows
    }
  }, into)
  return into.rowCount
}

/** Those of the tables' owner. Others, which check references, are a superuser's. */
async function setTriggers(client: pg.Client, how: 'enable' | 'disable', names: string[]) {
  await client.query(names.map((name) => `alter table ${name} ${how} trigger user`).join(';'))
}

async function setSequence(client: pg.Client, { name, value, isCalled }: Sequence) {
  if (!(await exists(client, name))) return
  await client.query('select setval($1::regclass, $2, $3)', [quoted(name), value, isCalled])
}
