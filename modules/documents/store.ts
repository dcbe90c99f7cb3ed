import { sql, type SQL } from 'drizzle-orm'
import { seconds } from '../../server/platform/time.ts'
import type { Db } from '../../server/sql/database.ts'
import { isIn } from '../../server/sql/fold.ts'
import { askPage, eachPage, exportedAtOnce, type Page } from '../../server/sql/pages.ts'
import { all, first, run } from '../../server/sql/statement.ts'
import type { Document } from './contract.ts'
import type { documents } from './tables.ts'

type Row = Omit<typeof documents.$inferSelect, 'subscriptionId'> &
  Record<'creator' | 'editor', string | null>
type Listed = Omit<Row, 'text' | 'createdBy' | 'creator'>
type Place = { id: string; subscriptionId: string }
type Written = { title: string; text: string; by: string; now: Date }

const listed = sql`id, title, bytes, created_at "createdAt", updated_by "updatedBy", updated_at "updatedAt",
  (select display_name from users where id = updated_by) editor`
const whole = sql`${listed}, "text", created_by "createdBy",
  (select display_name from users where id = created_by) creator`

/** Those that were changed last come first. `search` looks in titles. */
export async function list(
  db: Db,
  subscriptionId: string,
  { search, ...page }: Page & { search?: string | undefined },
) {
  const wanted = search || null
  const these = sql`from documents where subscription_id = ${subscriptionId}
    and (${wanted}::text is null or ${isIn(wanted, sql`title`)})`
  const counts = sql`select count(*) total ${these}`
  const inOrder = sql`select ${listed} ${these} order by updated_at desc, id desc`
  const asked = { counts, rows: inOrder }
  const { rows, total } = await askPage<Listed>(db, 'documents_list', asked, page)
  return { documents: rows.map(toListed), total }
}

export async function find(db: Db, { id, subscriptionId }: Place) {
  const row = await first<Row>(db, 'document')`
    select ${whole} from documents where id = ${id} and subscription_id = ${subscriptionId}`
  return row && toDocument(row)
}

export function eachOf(db: Db, subscriptionId: string) {
  return each(db, 'documents_of_project', sql`subscription_id = ${subscriptionId}`)
}

/** The documents that a user created, in all projects but these. */
export function eachBy(db: Db, userId: string, without: string[]) {
  const condition = sql`created_by = ${userId} and subscription_id <> all(${sql.param(without)}::text[])`
  return each(db, 'documents_of_creator', condition)
}

/** By their ids, in pages. */
async function* each(db: Db, name: string, condition: SQL) {
  const pages = eachPage<Row>(
    (last) => all<Row>(db, name)`
    select ${whole} from documents where ${condition} and id > ${last?.id ?? ''}
    order by id limit ${exportedAtOnce}`,
  )
  for await (const rows of pages) yield rows.map(toDocument)
}

export async function add(db: Db, { id, subscriptionId, title, text, by, now }: Place & Written) {
  await run(db, 'document_add')`
    insert into documents (id, subscription_id, title, "text", created_by, created_at, updated_by, updated_at)
    values (${id}, ${subscriptionId}, ${title}, ${text}, ${by}, ${now}, ${by}, ${now})`
}

export async function change(db: Db, { id, title, text, by, now }: { id: string } & Written) {
  await run(db, 'document_change')`
    update documents set title = ${title}, "text" = ${text}, updated_by = ${by},
      updated_at = greatest(${now}::timestamptz, updated_at + interval '1 ms')
    where id = ${id}`
}

export async function remove(db: Db, id: string) {
  await run(db, 'document_remove')`delete from documents where id = ${id}`
}

export async function measure(db: Db, subscriptionId: string) {
  const row = await first<{ count: number; bytes: number }>(db, 'documents_measure')`
    select count(*), coalesce(sum(bytes), 0)::bigint bytes from documents
    where subscription_id = ${subscriptionId}`
  return row!
}

function toListed<Some extends Listed>({ createdAt, updatedAt, updatedBy, editor, ...row }: Some) {
  return {
    ...row,
    created: seconds(createdAt),
    updated: updatedAt.toISOString(),
    updated_by: toPerson(updatedBy, editor),
  }
}

function toDocument({ createdBy, creator, ...row }: Row): Document {
  return { ...toListed(row), created_by: toPerson(createdBy, creator) }
}

function toPerson(id: string | null, name: string | null) {
  return id === null ? null : { id, name: name ?? '' }
}
