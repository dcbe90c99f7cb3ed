import { sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { keptMails } from './schema.ts'
import { ask, columns, run } from '../sql/statement.ts'

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
export function list(db: Db, to?: string) {
  const isWanted = to === undefined ? sql`true` : sql`"to" = ${to}`
  return ask<KeptMail>(
    db,
    sql`select ${columns(keptMails)} from kept_mails where ${isWanted}
      order by job_id desc nulls last, id desc limit 200`,
  )
}

export function removeAll(db: Db) {
  return run(db, 'kept_mails_remove_all')`delete from kept_mails`
}
