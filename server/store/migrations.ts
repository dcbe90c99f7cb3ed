import { getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../sql/database.ts'
import { ask } from '../sql/statement.ts'
import { core, isTableOf } from '../migrate/series.ts'
import * as schema from './schema.ts'

/** The modules that have made tables in the database. */
export async function listModules(db: Db) {
  const rows = await ask<{ series: string }>(
    db,
    sql`select distinct series from migrations where series <> ${core} order by series`,
  )
  return rows.map(({ series }) => series)
}

/** Drops the tables of a module, and what is noted of it. Returns the tables' names. */
export async function dropModule(db: Db, name: string) {
  const others = (await listModules(db)).filter((other) => other !== name && isTableOf(name, other))
  const isOfOthers = (table: string) =>
    ofCore.has(table) || others.some((other) => isTableOf(other, table))
  const found = await ask<{ table: string }>(
    db,
    sql`select relname "table" from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
  )
  const tables = found
    .map(({ table }) => table)
    .filter((table) => isTableOf(name, table) && !isOfOthers(table))
  // Calls wait behind a statement that waits for the tables that these refer to.
  await ask(db, sql`set local lock_timeout = '2s'`)
  const identifiers = tables.map((table) => sql.identifier(table))
  if (tables.length > 0) await ask(db, sql`drop table ${sql.join(identifiers, sql`, `)}`)
  await ask(db, sql`delete from migrations where series = ${name}`)
  await ask(db, sql`delete from installation where name = ${`oldest code of ${name}`}`)
  return tables
}

/** The core has tables whose names begin with a word that a module could have for a name. */
const ofCore = new Set([
  'migrations',
  ...Object.values(schema)
    .filter((one) => is(one, PgTable))
    .map(getTableName),
])
