import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { keptMails } from './schema.ts'
import { run } from '../sql/statement.ts'

export type KeptMail = typeof keptMails.$inferSelect

export type NewMail = Omit<KeptMail, 'id'>

/** Keeps mails, except those whose jobs have run before. */
export async function addAll(db: Db, mails: NewMail[]) {
  await run(db, 'kept_mails_add')`
    insert into kept_mails (job_id, "to", subject, text, html, at)
    select * from json_to_recordset(${JSON.stringify(mails)})
      as mails ("jobId" bigint, "to" text, subject text, text text, html text, at timestamptz)
    on conflict (job_id) do nothing`
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
