import { sql } from 'drizzle-orm'
import type { Db } from '../../server/sql/database.ts'
import { isIn } from '../../server/sql/fold.ts'
import { askPage, type Page } from '../../server/sql/pages.ts'
import { first, run } from '../../server/sql/statement.ts'
import type * as contract from './contract.ts'
import type * as tables from './tables.ts'

type Row = Omit<typeof tables.gadgets.$inferSelect, 'subscriptionId'> & { editor: string | null }
type Place = { id: string; subscriptionId: string }
type Written = { name: string; note: string; by: string; now: Date }

const shown = sql`id, name, note, updated_by "updatedBy", updated_at "updatedAt",
  (select display_name from users where id = updated_by) editor`

/** Those that were changed last come first. `search` looks in names. */
export async function list(
  db: Db,
  subscriptionId: string,
  { search, ...page }: Page & { search?: string | undefined },
) {
  const wanted = search || null
  const these = sql`from gadgets where subscription_id = ${subscriptionId}
    and (${wanted}::text is null or ${isIn(wanted, sql`name`)})`
  const counts = sql`select count(*) total ${these}`
  const inOrder = sql`select ${shown} ${these} order by updated_at desc, id desc`
  const asked = { counts, rows: inOrder }
  const { rows, total } = await askPage<Row>(db, 'gadgets_list', asked, page)
  return { gadgets: rows.map(toShown), total }
}

export async function find(db: Db, { id, subscriptionId }: Place) {
  const row = await first<Row>(db, 'gadgets_find')`
    select ${shown} from gadgets where id = ${id} and subscription_id = ${subscriptionId}`
  return row && toShown(row)
}

export async function count(db: Db, subscriptionId: string) {
  const row = await first<{ count: number }>(db, 'gadgets_count')`
    select count(*) from gadgets where subscription_id = ${subscriptionId}`
  return row!.count
}

export async function add(db: Db, { id, subscriptionId, name, note, by, now }: Place & Written) {
  await run(db, 'gadgets_add')`
    insert into gadgets (id, subscription_id, name, note, updated_by, updated_at)
    values (${id}, ${subscriptionId}, ${name}, ${note}, ${by}, ${now})`
}

export async function change(db: Db, { id, name, note, by, now }: { id: string } & Written) {
  await run(db, 'gadgets_change')`
    update gadgets set name = ${name}, note = ${note}, updated_by = ${by},
      updated_at = greatest(${now}::timestamptz, updated_at + interval '1 ms')
    where id = ${id}`
}

export async function remove(db: Db, id: string) {
  await run(db, 'gadgets_remove')`delete from gadgets where id = ${id}`
}

function toShown({ updatedAt, updatedBy, editor, ...row }: Row): contract.Gadget {
  return {
    ...row,
    updated: updatedAt.toISOString(),
    updated_by: updatedBy === null ? null : { id: updatedBy, name: editor ?? '' },
  }
}
