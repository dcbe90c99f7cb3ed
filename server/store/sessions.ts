import type { ActivityKind } from '#contract/activity.ts'
import { and, desc, eq, gt, inArray, lt, ne, notInArray, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { hashOf } from '../platform/ids.ts'
import { preparedOn } from './prepared.ts'
import { sessions, sessionTokens, users } from './schema.ts'

export type Session = typeof sessions.$inferSelect
export type NewToken = {
  token: string
  sessionId: string
  kind: 'access' | 'refresh'
  expiresAt: Date
}

type Entry = { kind: ActivityKind; actorName: string; details: Record<string, string> }

/** False if the user is disabled or deleted, or has changed credentials. Locks the user's row. */
export async function add(
  db: Db,
  session: Session,
  credentialsVersion: number,
  { kind, actorName, details }: Entry,
) {
  const { id, userId, startedAt, signedInAt, usedAt, address, userAgent } = session
  const { rowCount } = await db.execute(sql`
    with holder as (
      select id from users
      where id = ${userId} and credentials_version = ${credentialsVersion} and not disabled
      for no key update
    ), session as (
      insert into sessions (id, user_id, started_at, signed_in_at, used_at, address, user_agent)
      select ${id}, id, ${startedAt}::timestamptz, ${signedInAt}::timestamptz, ${usedAt}::timestamptz, ${address}, ${userAgent} from holder
    )
    insert into activity (at, kind, actor_id, actor_name, details)
    select ${signedInAt}::timestamptz, ${kind}, id, ${actorName}, ${JSON.stringify(details)}::jsonb from holder`)
  return rowCount === 1
}

export async function keepNewestOf(db: Db, userId: string, count: number) {
  const newest = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.usedAt), desc(sessions.startedAt), desc(sessions.id))
    .limit(count)
  await db.delete(sessions).where(and(eq(sessions.userId, userId), notInArray(sessions.id, newest)))
}

export async function addTokens(db: Db, tokens: NewToken[]) {
  await db
    .insert(sessionTokens)
    .values(tokens.map(({ token, ...rest }) => ({ ...rest, hash: hashOf(token) })))
}

const byAccessToken = preparedOn((db) =>
  db
    .select({
      user: {
        uid: users.id,
        email: users.email,
        emailVerified: users.emailVerified,
        displayName: users.displayName,
        language: users.language,
      },
      session: { id: sessions.id, signedInAt: sessions.signedInAt },
      expiresAt: sessionTokens.expiresAt,
    })
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

/** Runs at every request, so that every server refuses an ended session at once. */
export async function findByAccessToken(db: Db, token: string, now: Date) {
  const [row] = await byAccessToken(db).execute({ hash: hashOf(token), now })
  return row
}

export async function findByRefreshToken(db: Db, token: string) {
  const [row] = await db
    .select({
      user: users,
      session: sessions,
      expiresAt: sessionTokens.expiresAt,
      usedAt: sessionTokens.usedAt,
    })
    .from(sessionTokens)
    .innerJoin(sessions, eq(sessions.id, sessionTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessionTokens.hash, hashOf(token)), eq(sessionTokens.kind, 'refresh')))
  return row
}

export async function lockByRefreshToken(db: Db, token: string) {
  const ofToken = db
    .select({ id: sessionTokens.sessionId })
    .from(sessionTokens)
    .where(eq(sessionTokens.hash, hashOf(token)))
  const held = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(inArray(sessions.id, ofToken))
    .for('update')
  return held.length === 1
}

/** Marks the token as exchanged and its session as used. The caller has locked the session. */
export async function exchange(db: Db, token: string, sessionId: string, now: Date) {
  await db.update(sessions).set({ usedAt: now }).where(eq(sessions.id, sessionId))
  await db
    .update(sessionTokens)
    .set({ usedAt: now })
    .where(eq(sessionTokens.hash, hashOf(token)))
}

/** Keeps a session from ending until the transaction ends. False if the session has ended. */
export async function hold(db: Db, id: string) {
  const isSession = eq(sessions.id, id)
  const held = await db.select({ id: sessions.id }).from(sessions).where(isSession).for('key share')
  return held.length === 1
}

export async function listOf(db: Db, userId: string) {
  return db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.usedAt), desc(sessions.id))
}

/** The ids among these whose sessions have not ended. */
export async function listOpen(db: Db, ids: string[]) {
  const rows = await db.select({ id: sessions.id }).from(sessions).where(inArray(sessions.id, ids))
  return new Set(rows.map(({ id }) => id))
}

export async function markSignedIn(db: Db, id: string, now: Date) {
  await db.update(sessions).set({ signedInAt: now }).where(eq(sessions.id, id))
}

export async function endOf(db: Db, userId: string, id: string) {
  const { rowCount } = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
  return rowCount === 1
}

export async function end(db: Db, id: string) {
  await db.delete(sessions).where(eq(sessions.id, id))
}

export async function endAllOf(db: Db, userId: string, { except }: { except?: string } = {}) {
  await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except ? ne(sessions.id, except) : undefined))
}

export async function removeExpired(db: Db, now: Date) {
  await db.delete(sessionTokens).where(lt(sessionTokens.expiresAt, now))
  await db
    .delete(sessions)
    .where(
      sql`not exists (select from ${sessionTokens} where ${sessionTokens.sessionId} = ${sessions.id})`,
    )
}
