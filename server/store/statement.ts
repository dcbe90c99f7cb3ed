import { getTableColumns, sql, type Placeholder, type SQL } from 'drizzle-orm'
import { PgDialect, type PgTable } from 'drizzle-orm/pg-core'
import { query, send, type Db } from './database.ts'

const dialect = new PgDialect()

/** The values of a statement, as parts of its text. */
export type Given<Values extends object> = Record<keyof Values, SQL>

/**
 * A statement that many calls need: its text is built once, and each connection prepares it once,
 * under `name`. `build` gets a placeholder for each value.
 */
export function statement<Values extends object, Row extends object = never>(
  name: string,
  build: (given: Given<Values>) => SQL,
) {
  let built: { text: string; names: (keyof Values)[] } | undefined

  function queryOf(values: Values) {
    built ??= textOf<Values>(build)
    return { name, text: built.text, values: built.names.map((key) => values[key]) }
  }

  const all = async (db: Db, values: Values): Promise<Row[]> =>
    (await query<Row>(db, queryOf(values))).rows

  return {
    all,
    first: async (db: Db, values: Values): Promise<Row | undefined> => (await all(db, values))[0],
    /** In a transaction, the commit waits for the answer, and the caller doesn't. */
    send: async (db: Db, values: Values): Promise<void> => {
      if (db.unanswered) send(db, queryOf(values))
      else await query(db, queryOf(values))
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

function textOf<Values extends object>(build: (given: Given<Values>) => SQL) {
  const placeholders = new Proxy({} as Given<Values>, {
    get: (_, name) => sql`${sql.placeholder(String(name))}`,
    ownKeys: () => {
      throw new Error('name each value of a statement, because its placeholders can not be listed')
    },
  })
  const { sql: text, params } = dialect.sqlToQuery(build(placeholders))
  return { text, names: params.map((param) => (param as Placeholder).name as keyof Values) }
}
