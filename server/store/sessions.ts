import type { ActivityKind } from '#contract/activity.ts'
import { and, desc, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { hashOf } from './ids.ts'
import { preparedOn } from './prepared.ts'
import { sessions, sessionTokens, users } from './schema.ts'

export type Session = typeof sessions.$inferSelect
type NewToken = { token: string; sessionId: string; kind: 'access' | 'refresh'; expiresAt: Date }

type Entry = { kind: ActivityKind; actorName: string; details: Record<string, string> }

/** A new session, and what is kept of it as something that its user did: both in one statement. */
export async function add(
  db: Db,
  { id, userId, startedAt, signedInAt, usedAt, address, userAgent }: Session,
  { kind, actorName, details }: Entry,
) {
  await db.execute(sql`
    with session as (
      insert into sessions (id, user_id, started_at, signed_in_at, used_at, address, user_agent)
      values (${id}, ${userId}, ${startedAt}, ${signedInAt}, ${usedAt}, ${address}, ${userAgent})
    )
    insert into activity (at, kind, actor_id, actor_name, details)
    values (${signedInAt}, ${kind}, ${userId}, ${actorName}, ${JSON.stringify(details)}::jsonb)`)
}

export async function addTokens(db: Db, tokens: NewToken[]) {
  await db.insert(sessionTokens).values(tokens.map(({ token, ...rest }) => ({ ...rest, hash: hashOf(token) })))
}

const byAccessToken = preparedOn((db) =>
  db
    .select({ user: users, session: { id: sessions.id, signedInAt: sessions.signedInAt }, expiresAt: sessionTokens.expiresAt })
    .from(sessionTokens)
    .innerJoin(sessions, eq(sessions.id, sessionTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessionTokens.hash, sql.placeholder('hash')),
        eq(sessionTokens.kind, 'access'),
        gt(sessionTokens.expiresAt, sql.placeholder('now')),
      ),
    )
    .prepare('session_by_access_token'),
)

/** Who holds this access token, in one statement: an ended session is refused at its next request, on every server. */
export async function findByAccessToken(db: Db, token: string, now: Date) {
  const [row] = await byAccessToken(db).execute({ hash: hashOf(token), now })
  return row
}

export async function findByRefreshToken(db: Db, token: string) {
  const [row] = await db
    .select({ user: users, session: sessions, expiresAt: sessionTokens.expiresAt, usedAt: sessionTokens.usedAt })
    .from(sessionTokens)
    .innerJoin(sessions, eq(sessions.id, sessionTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessionTokens.hash, hashOf(token)), eq(sessionTokens.kind, 'refresh')))
  return row
}

/**
 * Marks the refresh token as exchanged, and holds the session until the transaction ends: false if it has ended meanwhile. A second
 * exchange keeps the time of the first.
 */
export async function exchange(db: Db, token: string, sessionId: string, now: Date) {
  const held = await db.update(sessions).set({ usedAt: now }).where(eq(sessions.id, sessionId)).returning({ id: sessions.id })
  if (held.length === 0) return false
  await db
    .update(sessionTokens)
    .set({ usedAt: now })
    .where(and(eq(sessionTokens.hash, hashOf(token)), isNull(sessionTokens.usedAt)))
  return true
}

/** Newest first. */
export async function listOf(db: Db, userId: string) {
  return db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(desc(sessions.usedAt), desc(sessions.id))
}

/** A sign-in that was repeated within a session. */
export async function markSignedIn(db: Db, id: string, now: Date) {
  await db.update(sessions).set({ signedInAt: now }).where(eq(sessions.id, id))
}

/** False if the user has no such session. */
export async function endOf(db: Db, userId: string, id: string) {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id })
  return ended.length === 1
}

export async function end(db: Db, id: string) {
  await db.delete(sessions).where(eq(sessions.id, id))
}

export async function endAllOf(db: Db, userId: string, { except }: { except?: string } = {}) {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), except ? ne(sessions.id, except) : undefined))
}

/** Removes what can't be used any more: tokens past their end, and sessions left without any. */
export async function removeExpired(db: Db, now: Date) {
  await db.delete(sessionTokens).where(lt(sessionTokens.expiresAt, now))
  await db.delete(sessions).where(sql`not exists (select from ${sessionTokens} where ${sessionTokens.sessionId} = ${sessions.id})`)
}
