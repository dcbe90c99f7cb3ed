import { sql } from 'drizzle-orm'
import { seconds } from '../../server/platform/time.ts'
import type { Db } from '../../server/sql/database.ts'
import { isIn } from '../../server/sql/fold.ts'
import { askPage, eachPage, exportedAtOnce, type Page } from '../../server/sql/pages.ts'
import { all, columns, first, run } from '../../server/sql/statement.ts'
import type { Document, DocumentInList } from './contract.ts'
import { documents } from './tables.ts'

type Row = typeof documents.$inferSelect & { creator: string | null; editor: string | null }
type Listed = Pick<Row, (typeof listed)[number] | 'editor'>
type Place = { id: string; subscriptionId: string }
type Content = { title: string; text: string }

const editor = sql`(select display_name from users where id = updated_by) editor`
const creator = sql`(select display_name from users where id = created_by) creator`
const listed = ['id', 'title', 'bytes', 'createdAt', 'updatedBy', 'updatedAt'] as const

/** Those that were changed last come first. `search` looks in titles. */
export async function list(
  db: Db,
  subscriptionId: string,
  { search, ...page }: Page & { search?: string | undefined },
) {
  const wanted = search || null
  const condition = sql`subscription_id = ${subscriptionId}
    and (${wanted}::text is null or ${isIn(wanted, sql`title`)})`
  const { rows, total } = await askPage<Listed>(
    db,
    'documents_list',
    {
      counts: sql`select count(*) total from documents where ${condition}`,
      rows: sql`select ${columns(documents, listed)}, ${editor} from documents
        where ${condition} order by updated_at desc, id`,
    },
    page,
  )
  return { documents: rows.map(toListed), total }
}

export async function find(db: Db, { id, subscriptionId }: Place) {
  const row = await first<Row>(db, 'document')`
    select ${columns(documents)}, ${creator}, ${editor} from documents
    where id = ${id} and subscription_id = ${subscriptionId}`
  return row && toDocument(row)
}

/** The documents of a project, by their ids, in pages. */
export function eachOf(db: Db, subscriptionId: string) {
  return inPages(
    (after) => all<Row>(db, 'documents_of_project')`
    select ${columns(documents)}, ${creator}, ${editor} from documents
    where subscription_id = ${subscriptionId} and id > ${after} order by id limit ${exportedAtOnce}`,
  )
}

/** The documents that a user created, by their ids, in pages. */
export function eachBy(db: Db, userId: string) {
  return inPages(
    (after) => all<Row>(db, 'documents_of_creator')`
    select ${columns(documents)}, ${creator}, ${editor} from documents
    where created_by = ${userId} and id > ${after} order by id limit ${exportedAtOnce}`,
  )
}

export async function add(
  db: Db,
  { id, subscriptionId, title, text }: Place & Content,
  { by, now }: { by: string; now: Date },
) {
  await run(db, 'document_add')`
    insert into documents (id, subscription_id, title, "text", created_by, created_at, updated_by, updated_at)
    values (${id}, ${subscriptionId}, ${title}, ${text}, ${by}, ${now}, ${by}, ${now})`
}

export async function change(
  db: Db,
  { id, title, text }: { id: string } & Content,
  { by, now }: { by: string; now: Date },
) {
  await run(db, 'document_change')`
    update documents set title = ${title}, "text" = ${text}, updated_by = ${by}, updated_at = ${now}
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

async function* inPages(ask: (after: string) => Promise<Row[]>) {
  for await (const rows of eachPage<Row>((last) => ask(last?.id ?? ''))) yield rows.map(toDocument)
}

function toListed({
  id,
  title,
  bytes,
  createdAt,
  updatedBy,
  updatedAt,
  ...row
}: Listed): DocumentInList {
  return {
    id,
    title,
    created: seconds(createdAt),
    updated: updatedAt.toISOString(),
    updated_by: toPerson(updatedBy, row.editor),
    bytes,
  }
}

function toDocument({ text, createdBy, creator, ...row }: Row): Document {
  return { ...toListed(row), text, created_by: toPerson(createdBy, creator) }
}

function toPerson(id: string | null, name: string | null) {
  return id === null ? null : { id, name: name ?? '' }
}
