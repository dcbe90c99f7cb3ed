import { desc, eq } from 'drizzle-orm'
import type { Db } from './database.ts'
import { keptMails } from './schema.ts'

export type KeptMail = typeof keptMails.$inferSelect

export async function add(db: Db, mail: Omit<KeptMail, 'id'>) {
  await db.insert(keptMails).values(mail)
}

/** The newest mails first, at most 200. */
export async function list(db: Db, to?: string) {
  return db
    .select()
    .from(keptMails)
    .where(to === undefined ? undefined : eq(keptMails.to, to))
    .orderBy(desc(keptMails.id))
    .limit(200)
}
