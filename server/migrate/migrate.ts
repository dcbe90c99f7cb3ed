import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../platform/start-error.ts'
import { choosePending, listApplied, type Applied } from './applied.ts'
import { lacksRight, onOwnConnection, takeTurn, withRights } from './change-schema.ts'
import {
  includes,
  labelOf,
  numberOf,
  readMigrations,
  titleOf,
  type Migration,
  type Named,
} from './migration-files.ts'
import { core, listSeries, type Series } from './series.ts'

type Options = {
  series?: Series[]
  /** The migrations to apply, by default all. */
  only?: Named[]
}

/**
 * Applies the pending migrations, each in a transaction of its own. If several servers start at
 * once, one migrates and the others wait. Refuses to go on with a database that needs newer code.
 * See docs/decisions/019-migrations-by-name.md.
 */
export async function migrateDatabase(
  connection: pg.PoolConfig,
  log: Logger,
  { series = listSeries(), only }: Options = {},
) {
  const all = await readMigrations(series)
  const known = only ? all.filter((migration) => includes(only, migration)) : all
  const migrate = async (client: pg.Client) => {
    // Most starts ask only this.
    const before = await readState(client, known)
    if (before) warnOfOrphans(before, series, log)
    if (before && choosePending(known, before).length === 0) return []
    await takeTurn(client, log)
    const former = before ?? (await takeOver(client, all))
    // Another server may have applied some in the meantime.
    const pending = choosePending(known, (await readState(client, known)) ?? [])
    for (const migration of pending) await apply(client, migration, log)
    const applied = pending.map(labelOf)
    if (former.length > 0) log.info({ migrations: applied }, 'the database was migrated')
    return applied
  }
  const applied = await withRights(onOwnConnection(connection, log, migrate))
  return { applied, schema: numberOf(known.findLast(({ series }) => series === core)!) }
}

/** Undefined on a database without tables, and on one that only servers before 0024 have used. */
async function readState(client: pg.Client, known: Migration[]) {
  const reading = client.query<{ applied: Applied[]; needed: Record<string, string> }>(
    `select coalesce((select json_agg(migrations) from migrations), '[]') applied,
       coalesce((select json_object_agg(name, value) from installation
         where name like 'oldest code%'), '{}') needed`,
  )
  const found = await reading.catch((error: { code?: string }) => {
    if (error.code !== '42P01') throw error
  })
  if (!found) return
  const { applied, needed } = found.rows[0]!
  for (const [series, migrations] of Map.groupBy(known, ({ series }) => series)) {
    const ours = labelOf(migrations.at(-1)!)
    const oldestCode = labelOf({ series, name: needed[oldestCodeOf(series)] ?? '0000' })
    if (oldestCode > ours)
      throw new StartError(
        `This version is too old for its database: it knows migrations up to ${ours}, and the database needs ${oldestCode}. Start a newer version.`,
      )
  }
  return applied
}

/** The row of `installation` with the number of the migration that code must know. */
function oldestCodeOf(series: string) {
  return series === core ? 'oldest code' : `oldest code of ${series}`
}

/** Their folder is removed, or this version is older than the one that brought it. */
function warnOfOrphans(applied: Applied[], all: Series[], log: Logger) {
  const there = new Set(all.map(({ name }) => name))
  const orphans = applied.map(({ series }) => series).filter((name) => !there.has(name))
  if (orphans.length > 0)
    log.warn(
      { modules: [...new Set(orphans)] },
      'the database has tables of modules that are not there: npm run admin -- drop-module removes them',
    )
}

/** Makes the table of migrations, with those that servers before 0024 have applied. */
async function takeOver(client: pg.Client, all: Migration[]) {
  const applied = await listApplied(client, all)
  // It refuses before anything is written.
  choosePending(all, applied)
  await client.query(`begin; create table if not exists migrations (
    series text not null, name text not null, hash text not null,
    applied_at timestamptz not null default now(), primary key (series, name))`)
  await client.query(
    `insert into migrations (series, name, hash)
     select * from json_to_recordset($1) as one(series text, name text, hash text)
     on conflict do nothing`,
    [JSON.stringify(applied)],
  )
  await client.query('commit')
  return applied
}

/**
 * A statement that waits for a table makes all later calls on the table wait too. So it waits only
 * for a moment; then the migration is undone and, after a pause, tried again, until it gets all
 * tables.
 */
async function apply(client: pg.Client, migration: Migration, log: Logger) {
  const { series, name, hash, when, text, oldestCode } = migration
  for (let tries = 1; ; tries++)
    try {
      await client.query(`begin; set local lock_timeout = '2s'`)
      await client.query(text)
      await client.query('insert into migrations (series, name, hash) values ($1, $2, $3)', [
        series,
        name,
        hash,
      ])
      // Servers before 0024 take the latest time for the newest migration.
      if (series === core)
        await client.query(
          'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)',
          [name, when],
        )
      await client.query(
        `insert into installation (name, value) values ($1, $2)
         on conflict (name) do update set value = greatest(installation.value, excluded.value)`,
        [oldestCodeOf(series), oldestCode],
      )
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      if (!isLocked(error)) throw inPlainWords(error, titleOf(migration))
      if (tries % 20 === 1) log.warn({ tries }, 'a change of the tables waits for a free moment')
      await delay(1000)
    }
}

/** Whether a statement waited for too long, or was the victim of a deadlock. */
function isLocked(error: unknown) {
  return error instanceof pg.DatabaseError && ['55P03', '40P01'].includes(error.code!)
}

function inPlainWords(error: unknown, title: string) {
  if (!(error instanceof pg.DatabaseError) || error.code === lacksRight) return error
  return new StartError(
    `The migration ${title} failed, and nothing of it is kept: ${error.message}. Mend that and start again.`,
  )
}
