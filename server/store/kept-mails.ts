import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { keptMails } from './schema.ts'
import { statement } from '../sql/statement.ts'

export type KeptMail = typeof keptMails.$inferSelect

export type NewMail = Omit<KeptMail, 'id'>

const added = statement<{ mails: string }>(
  'kept_mails_add',
  ({ mails }) => sql`
    insert into kept_mails (job_id, "to", subject, text, html, at)
    select * from json_to_recordset(${mails})
      as mails ("jobId" bigint, "to" text, subject text, text text, html text, at timestamptz)
    on conflict (job_id) do nothing`,
)

/** Keeps mails, except those whose jobs have run before. */
export async function addAll(db: Db, mails: NewMail[]) {
  await added.send(db, { mails: JSON.stringify(mails) })
}

/** The newest mails first, at most 200. Jobs end in another order than the one they began in. */
export async function list(db: Db, to?: string) {
  return db
    .select()
    .from(keptMails)
    .where(to === undefined ? undefined : eq(keptMails.to, to))
    .orderBy(sql`${keptMails.jobId} desc nulls last`, desc(keptMails.id))
    .limit(200)
}

export async function removeAll(db: Db) {
  await db.delete(keptMails)
}
