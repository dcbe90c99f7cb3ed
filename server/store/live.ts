import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { preparedOn } from './prepared.ts'
import { members, sessions, users } from './schema.ts'

const byUser = preparedOn((db) =>
  db
    .select({
      email: users.email,
      emailVerified: users.emailVerified,
      subscriptionId: members.subscriptionId,
      permissions: members.permissions,
    })
    .from(users)
    .leftJoin(members, eq(members.userId, users.id))
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare('live_by_user'),
)

/** What decides which changes somebody is told of: their address, once it is verified, and the projects they are in. */
export async function findListener(db: Db, userId: string) {
  const rows = await byUser(db).execute({ userId })
  const [user] = rows
  return {
    email: user?.emailVerified ? user.email : undefined,
    memberships: rows.flatMap(({ subscriptionId, permissions }) =>
      subscriptionId ? [{ subscriptionId, permissions: permissions! }] : [],
    ),
  }
}

/** Those of the sessions that have not ended. */
export async function keepOpen(db: Db, ids: string[]) {
  const rows = await db.select({ id: sessions.id }).from(sessions).where(inArray(sessions.id, ids))
  return new Set(rows.map(({ id }) => id))
}
