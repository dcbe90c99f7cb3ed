import {
  Column,
  getTableColumns,
  getTableName,
  Name,
  Param,
  sql,
  SQL,
  StringChunk,
} from 'drizzle-orm'
import { PgDialect, type PgTable } from 'drizzle-orm/pg-core'
import { query, type Db } from './database.ts'

type Statement<Answer> = (text: TemplateStringsArray, ...parts: unknown[]) => Promise<Answer>

const dialect = new PgDialect()
/** The texts of statements by their names. */
const texts = new Map<string, string>()

/**
 * The rows of a statement, whose values are parts of its text: all<Row>(db, 'name')`select …`. Many
 * calls need it, so each connection prepares it once, under its name. Statements of one name differ
 * in values only.
 */
export function all<Row extends object>(db: Db, name: string): Statement<Row[]> {
  return async (text, ...parts) => prepared<Row>(db, name, sql(text, ...parts.map(toPart)))
}

export function first<Row extends object>(db: Db, name: string): Statement<Row | undefined> {
  return async (text, ...parts) => (await all<Row>(db, name)(text, ...parts)).at(0)
}

export function run(db: Db, name: string): Statement<void> {
  return async (text, ...parts) => void (await all(db, name)(text, ...parts))
}

/** The rows of a statement that is made of several parts. In these, a list needs `sql.param`. */
export async function prepared<Row extends object>(db: Db, name: string, statement: SQL) {
  const values = valuesIn(statement)
  const text = texts.get(name) ?? build(name, statement, values)
  return (await query<Row>(db, { name, text, values })).rows
}

/** Asks a question whose text varies, so that preparing it would not pay. */
export async function ask<Row extends object>(db: Db, question: SQL) {
  const { sql: text, params: values } = dialect.sqlToQuery(question)
  return (await query<Row>(db, { text, values })).rows
}

const listed = new Map<string, SQL>()

/** Columns of a table, all by default, under the names that they have in schema.ts. */
export function columns<Table extends PgTable>(
  table: Table,
  names?: readonly (keyof Table['_']['columns'] & string)[],
) {
  const key = `${getTableName(table)} ${names?.join() ?? '*'}`
  const known = listed.get(key)
  if (known) return known
  const all = getTableColumns(table)
  const named = (names ?? Object.keys(all)).map((name) => sql`${all[name]} ${sql.identifier(name)}`)
  const text = sql.raw(dialect.sqlToQuery(sql.join(named, sql`, `)).sql)
  listed.set(key, text)
  return text
}

/** Drizzle would write a list as several values, and nothing for undefined. */
function toPart(part: unknown) {
  return Array.isArray(part) || part === undefined ? sql.param(part) : part
}

function build(name: string, statement: SQL, { length }: unknown[]) {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  if (params.length !== length) throw new Error(`a list or undefined in ${name} needs sql.param`)
  texts.set(name, text)
  return text
}

/** Only the values, because building the text takes several times as long. */
function valuesIn({ queryChunks }: SQL): unknown[] {
  return queryChunks.flatMap((chunk) => {
    if (chunk instanceof SQL) return valuesIn(chunk)
    if (chunk instanceof StringChunk || chunk instanceof Column || chunk instanceof Name) return []
    return [chunk instanceof Param ? chunk.value : chunk]
  })
}
