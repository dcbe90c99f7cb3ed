import { sql, type SQL } from 'drizzle-orm'
import type { Db } from './database.ts'
import { ask, statement, type Given } from './statement.ts'

export type Page = { page: number; pageSize: number }

/** `counts` has one row, and `rows` are in order. Both may read the queries of `using`. */
type Listing = { using?: SQL; counts: SQL; rows: SQL }

/**
 * Asks for one page of a list and for counts of the whole, at once. Only the first pages are
 * prepared: PostgreSQL plans far worse with a limit or an offset that it does not know.
 */
export function pages<
  Values extends object,
  Row extends { id: string | number },
  Counts extends object = { total: number },
>(name: string, build: (given: Given<Values>) => Listing) {
  const firstPages = new Map<number, ReturnType<typeof firstPage>>()

  function firstPage(pageSize: number) {
    return statement<Values, Row & { counts: Counts }>(`${name}_${pageSize}`, (given) =>
      textOf(build(given), { page: 1, pageSize }),
    )
  }

  function prepared(pageSize: number) {
    const found = firstPages.get(pageSize) ?? firstPage(pageSize)
    firstPages.set(pageSize, found)
    return found
  }

  return async (db: Db, values: Values, { page, pageSize }: Page) => {
    const rows =
      page === 1
        ? await prepared(pageSize).all(db, values)
        : await ask<Row & { counts: Counts }>(
            db,
            textOf(build(paramsOf(values)), { page, pageSize }),
          )
    const [{ id, counts }] = rows as [(typeof rows)[0]]
    return {
      ...counts,
      rows: id === null ? [] : rows.map(({ counts: _, ...row }) => row as unknown as Row),
    }
  }
}

/** A page without rows still has the counts. */
function textOf({ using, counts, rows }: Listing, { page, pageSize }: Page) {
  return sql`${using ? sql`with ${using}` : sql``}
    select to_json(counts) counts, page.* from (${counts}) counts left join (
      ${rows} limit ${sql.raw(String(pageSize))} offset ${sql.raw(String((page - 1) * pageSize))}
    ) page on true`
}

const exportPage = 200

/** The size of the pages of `eachPage`, for the texts of statements. */
export const exportedAtOnce = sql.raw(String(exportPage))

/**
 * A long list, page by page. Each is asked for when the one before was taken, so that a slow reader
 * holds no connection. `ask` gets the last row, and answers with those after it.
 */
export async function* eachPage<Row>(ask: (last: Row | undefined) => Promise<Row[]>) {
  let page: Row[] = []
  do {
    page = await ask(page.at(-1))
    if (page.length > 0) yield page
  } while (page.length === exportPage)
}

function paramsOf<Values extends object>(values: Values) {
  const params = Object.entries(values).map(([key, value]) => [key, sql`${sql.param(value)}`])
  return Object.fromEntries(params) as Given<Values>
}
