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
const texts = new Map<string, { shape: string; text: string }>()

/**
 * The rows of a statement, whose values are parts of its text: all<Row>(db, 'name')`select …`. Many
 * calls need it, so each connection prepares it once, under its name. Statements of one name differ
 * in values only.
 */
export function all<Row extends object>(db: Db, name: string): Statement<Row[]> {
  return async (text, ...parts) => prepared<Row>(db, name, sql(text, ...parts.map(toPart)))
}

/** The only column of the rows. */
export function values<Value>(db: Db, name: string): Statement<Value[]> {
  return async (text, ...parts) =>
    (await all<Record<string, Value>>(db, name)(text, ...parts)).flatMap(Object.values<Value>)
}

/** The only column of the only row. */
export function value<Value>(db: Db, name: string): Statement<Value> {
  return async (text, ...parts) => (await values<Value>(db, name)(text, ...parts))[0]!
}

export function first<Row extends object>(db: Db, name: string): Statement<Row | undefined> {
  return async (text, ...parts) => (await all<Row>(db, name)(text, ...parts)).at(0)
}

/** Whether a statement finds, adds, changes or removes any row. */
export function some(db: Db, name: string): Statement<boolean> {
  return async (text, ...parts) =>
    (await send(db, name, sql(text, ...parts.map(toPart)))).rowCount! > 0
}

export function run(db: Db, name: string): Statement<void> {
  return async (text, ...parts) => void (await all(db, name)(text, ...parts))
}

/** The rows of a statement that is made of several parts. In these, a list needs `sql.param`. */
export async function prepared<Row extends object>(db: Db, name: string, statement: SQL) {
  return (await send<Row>(db, name, statement)).rows
}

async function send<Row extends object>(db: Db, name: string, statement: SQL) {
  const parts = partsOf(statement)
  const text = textOf(name, statement, parts)
  return query<Row>(db, { name, text, values: parts.values })
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

/** `shape` is the text without its values. Two statements of one name would get each other's answers. */
function textOf(name: string, statement: SQL, { shape, values }: Parts) {
  const known = texts.get(name)
  if (known?.shape === shape) return known.text
  if (known) throw new Error(`two statements have the name ${name}`)
  const { sql: text, params } = dialect.sqlToQuery(statement)
  if (params.length !== values.length)
    throw new Error(`a list or undefined in ${name} needs sql.param`)
  texts.set(name, { shape, text })
  return text
}

type Parts = { shape: string; values: unknown[] }

/** Building the text each time would take several times as long. */
function partsOf({ queryChunks }: SQL, parts: Parts = { shape: '', values: [] }) {
  for (const chunk of queryChunks)
    if (chunk instanceof SQL) partsOf(chunk, parts)
    else if (chunk instanceof StringChunk) parts.shape += chunk.value.join('')
    else if (chunk instanceof Column) parts.shape += chunk.name
    else if (chunk instanceof Name) parts.shape += chunk.value
    else parts.values.push(chunk instanceof Param ? chunk.value : chunk)
  return parts
}
