import { inArray } from 'drizzle-orm'
import type { Db } from './database.ts'
import { members, sessions } from './schema.ts'

export function listMemberships(db: Db, userIds: string[]) {
  return db
    .select({ userId: members.userId, subscriptionId: members.subscriptionId })
    .from(members)
    .where(inArray(members.userId, userIds))
}

/** Those of the sessions that have not ended. */
export async function listOpenSessions(db: Db, ids: string[]) {
  const rows = await db.select({ id: sessions.id }).from(sessions).where(inArray(sessions.id, ids))
  return new Set(rows.map(({ id }) => id))
}
