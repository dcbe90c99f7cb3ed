import { sql, type SQL } from 'drizzle-orm'
import type { Db } from './database.ts'
import { ask, prepared } from './statement.ts'

export type Page = { page: number; pageSize: number }

/** `counts` has one row, and `rows` are in order. Both may read the queries of `using`. */
type Listing = { using?: SQL; counts: SQL; rows: SQL }

/**
 * One page of a list and counts of the whole, asked for at once. Only first pages are prepared:
 * PostgreSQL plans far worse with a limit or an offset that it does not know.
 */
export async function askPage<
  Row extends { id: string | number },
  Counts extends object = { total: number },
>(db: Db, name: string, { using, counts, rows }: Listing, { page, pageSize }: Page) {
  // A page without rows still has the counts.
  const text = sql`${using ? sql`with ${using}` : sql``}
    select to_json(counts) counts, page.* from (${counts}) counts left join (
      ${rows} limit ${sql.raw(String(pageSize))} offset ${sql.raw(String((page - 1) * pageSize))}
    ) page on true`
  type Found = Row & { counts: Counts }
  const found =
    page === 1 ? await prepared<Found>(db, `${name}_${pageSize}`, text) : await ask<Found>(db, text)
  const [{ id, counts: counted }] = found as [Found]
  const listed = id === null ? [] : found.map(({ counts: _, ...row }) => row as unknown as Row)
  return { ...counted, rows: listed }
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
