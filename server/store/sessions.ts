import type { ActivityKind } from '#contract/activity.ts'
import type { CallName } from '#contract/calls.ts'
import { and, desc, eq, inArray, lt, ne, notInArray, sql, type SQL } from 'drizzle-orm'
import type { Db } from './database.ts'
import { hashOf } from '../platform/ids.ts'
import { countOf, type Count } from './count-of.ts'
import { sessions, sessionTokens, users } from './schema.ts'
import { shown, toEntity, type Shown } from './shown-subscription.ts'
import { columns, statement } from './statement.ts'
import type { User } from './users.ts'

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

type Signed = Pick<User, 'email' | 'emailVerified' | 'displayName' | 'language'> & {
  uid: string
  sessionId: string
  signedInAt: Date
  expiresAt: Date
}

type Token = { hash: string; now: Date }

const signedIn = ({ hash, now }: Record<keyof Token, SQL>) => sql`
  select u.id uid, u.email, u.email_verified "emailVerified", u.display_name "displayName", u.language,
    s.id "sessionId", s.signed_in_at "signedInAt", t.expires_at "expiresAt"
  from session_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
  where t.hash = ${hash} and t.kind = 'access' and t.expires_at > ${now}`

const byAccessToken = statement<Token, Signed>('session_by_access_token', signedIn)

/** Runs at every request, so that every server refuses an ended session at once. */
export async function findByAccessToken(db: Db, token: string, now: Date) {
  const row = await byAccessToken.first(db, { hash: hashOf(token), now })
  return row && toSession(row)
}

const withSubscription = statement<Token & { id: string }, Signed & (Shown | { id: null })>(
  'session_with_subscription',
  ({ id, hash, now }) => sql`
    select caller.*, ${shown}
    from (${signedIn({ hash, now })}) caller
      left join subscriptions on subscriptions.id = ${id} and subscriptions.status <> 'incomplete'`,
)

/** Finds as `findByAccessToken` does, and with it what `subscriptions.find` finds. */
export async function findWithSubscription(db: Db, token: string, now: Date, id: string) {
  const row = await withSubscription.first(db, { hash: hashOf(token), now, id })
  return row && { ...toSession(row), subscription: row.id === null ? undefined : toEntity(row) }
}

/** The name of the limit, and of the call. */
type Write = { limit: string; call: CallName; perSession: boolean; within: number }

const writing = statement<Token & Write & { clock: number }, Signed & Omit<Count, 'key'>>(
  'session_of_a_write',
  (given) => sql`
    with found as (${signedIn(given)}), counted as (${countOf(
      sql`select ${given.limit} || ':' || case when ${given.perSession} then "sessionId" else uid end
        || ':' || ${given.call}, ${given.within}::bigint from found`,
      given.clock,
    )})
    select found.*, points, expire from found, counted`,
)

/** Finds as `findByAccessToken` does, and counts a write of the user, or of the session. */
export async function countWrite(db: Db, token: string, now: Date, write: Write) {
  const row = await writing.first(db, { hash: hashOf(token), now, ...write, clock: Date.now() })
  return row && { ...toSession(row), count: { points: row.points, expire: row.expire } }
}

function toSession({ sessionId, signedInAt, expiresAt, ...row }: Signed) {
  const { uid, email, emailVerified, displayName, language } = row
  const user = { uid, email, emailVerified, displayName, language }
  return { user, session: { id: sessionId, signedInAt }, expiresAt }
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

const ofUser = statement<{ userId: string }, Session>(
  'sessions_of_user',
  ({ userId }) => sql`
    select ${columns(sessions)} from sessions where user_id = ${userId} order by used_at desc, id desc`,
)

export async function listOf(db: Db, userId: string) {
  return ofUser.all(db, { userId })
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
