import { sql, type Placeholder, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'

/** The values of a statement, as parts of its text. */
export type Given<Values extends object> = Record<keyof Values, SQL>

/** A statement and its values. `build` gets a placeholder for each value. */
export type Part = {
  name: string
  build: (given: Given<Record<string, unknown>>) => SQL
  values: Record<string, unknown>
}

type Place = { index: number; key: string }

export const dialect = new PgDialect()
const texts = new Map<string, { name: string; text: string; places: Place[] }>()

/**
 * One query for statements that don't see each other's changes. Its text is built once for each
 * combination, and each connection prepares it once, under the names of the statements.
 */
export function queryOf(parts: Part[]): pg.QueryConfig {
  const { name, text, places } = builtFrom(parts)
  return { name, text, values: places.map(({ index, key }) => parts[index]!.values[key]) }
}

/** Whether other statements can follow this one in a query. */
export function canJoin(part: Part) {
  return /^\s*(insert|update|delete)/.test(builtFrom([part]).text)
}

function builtFrom(parts: Part[]) {
  const name = parts.map(({ name }) => name).join('+')
  const known = texts.get(name)
  if (known) return known
  const built = { name, ...textOf(parts) }
  texts.set(name, built)
  return built
}

function textOf(parts: Part[]) {
  const built = parts.map(({ build }, index) => build(placeholdersOf(index)))
  const last = built.pop()!
  const others = built.map((part, index) => sql`${sql.identifier(`part${index}`)} as (${part})`)
  const { sql: text, params } = dialect.sqlToQuery(
    others.length > 0 ? sql`with ${sql.join(others, sql`, `)} ${last}` : last,
  )
  return { text, places: params.map((param) => (param as Placeholder).name as unknown as Place) }
}

function placeholdersOf(index: number) {
  return new Proxy<Given<Record<string, unknown>>>(
    {},
    {
      get: (_, key) => sql`${sql.placeholder({ index, key } as unknown as string)}`,
      ownKeys: () => {
        throw new Error(
          'name each value of a statement, because its placeholders can not be listed',
        )
      },
    },
  )
}
