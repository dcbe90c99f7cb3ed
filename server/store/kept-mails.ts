import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { keptMails } from './schema.ts'
import { statement } from './statement.ts'

export type KeptMail = typeof keptMails.$inferSelect

/** Keeps a mail, unless its job has run before. */
export const add = statement<Omit<KeptMail, 'id'>>(
  'kept_mail_add',
  ({ jobId, to, subject, text, html, at }) => sql`
    insert into kept_mails (job_id, "to", subject, text, html, at)
    values (${jobId}, ${to}, ${subject}, ${text}, ${html}, ${at}) on conflict (job_id) do nothing`,
).send

/** The newest mails first, at most 200. Jobs end in another order than the one they began in. */
export async function list(db: Db, to?: string) {
  return db
    .select()
    .from(keptMails)
    .where(to === undefined ? undefined : eq(keptMails.to, to))
    .orderBy(sql`${keptMails.jobId} desc nulls last`, desc(keptMails.id))
    .limit(200)
}
