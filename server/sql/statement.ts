import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { query, send, type Db } from './database.ts'
import { dialect, queryOf, type Given, type Part } from './query-of.ts'

export type { Given } from './query-of.ts'

/**
 * A statement that many calls need: its text is built once, and each connection prepares it once,
 * under `name`. `build` gets a placeholder for each value. `log` is the table, if the statement
 * only adds a row that the same transaction doesn't read.
 */
export function statement<Values extends object, Row extends object = never>(
  name: string,
  build: (given: Given<Values>) => SQL,
  { log }: { log?: string } = {},
) {
  const partOf = (values: Values) => ({ name, build, values }) as unknown as Part

  const all = async (db: Db, values: Values): Promise<Row[]> =>
    (await query<Row>(db, queryOf([partOf(values)]))).rows

  return {
    all,
    first: async (db: Db, values: Values): Promise<Row | undefined> => (await all(db, values))[0],
    /** In a transaction, the commit waits for the answer, and the caller doesn't. */
    send: async (db: Db, values: Values): Promise<void> => {
      if (db.running) send(db, { ...partOf(values), log })
      else await all(db, values)
    },
  }
}

/** Asks a question whose text varies, so that preparing it would not pay. */
export async function ask<Row extends object>(db: Db, question: SQL) {
  const { sql: text, params: values } = dialect.sqlToQuery(question)
  return (await query<Row>(db, { text, values })).rows
}

/** Columns of a table, all by default, under the names that they have in schema.ts. */
export function columns<Table extends PgTable>(
  table: Table,
  names = Object.keys(getTableColumns(table)) as (keyof Table['_']['columns'] & string)[],
) {
  const named = names.map((name) => sql`${getTableColumns(table)[name]} ${sql.identifier(name)}`)
  return sql.join(named, sql`, `)
}
