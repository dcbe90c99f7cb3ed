import type { CallName } from '#contract/calls.ts'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { hashOf } from '../platform/ids.ts'
import { countOf, type Count } from './count-of.ts'
import { sessions, sessionTokens, users } from './schema.ts'
import { shown, toEntity, type Shown } from './shown-subscription.ts'
import { columns, statement, type Given } from '../sql/statement.ts'
import type { User } from './users.ts'

export type Session = typeof sessions.$inferSelect
export type NewToken = { token: string; kind: 'access' | 'refresh'; expiresAt: Date }

type NewSession = Session & {
  credentialsVersion: number
  actorName: string
  /** JSON. */
  details: string
}

/**
 * Locks the user's row. A user who is disabled or deleted, or who has changed credentials, is not
 * found, and the empty id breaks the foreign key.
 */
export const add = statement<NewSession>(
  'session_add',
  (given) => sql`
    with holder as (
      select id from users
      where id = ${given.userId} and credentials_version = ${given.credentialsVersion} and not disabled
      for no key update
    ), session as (
      insert into sessions (id, user_id, started_at, signed_in_at, used_at, address, user_agent)
      values (${given.id}, coalesce((select id from holder), ''), ${given.startedAt}, ${given.signedInAt},
        ${given.usedAt}, ${given.address}, ${given.userAgent})
    )
    insert into activity (at, kind, actor_id, actor_name, details)
    select ${given.signedInAt}::timestamptz, 'signedIn', id, ${given.actorName}, ${given.details}::jsonb from holder`,
).send

export const keepNewestOf = statement<{ userId: string; count: number }>(
  'sessions_keep_newest',
  ({ userId, count }) => sql`
    delete from sessions where id in (
      select id from sessions where user_id = ${userId}
      order by used_at desc, started_at desc, id desc offset ${count})`,
).send

type TokenRows = { sessionId: string; hashes: string[]; kinds: string[]; ends: Date[] }

const tokensAdded = statement<TokenRows>(
  'session_add_tokens',
  ({ sessionId, hashes, kinds, ends }) => sql`
    insert into session_tokens (session_id, hash, kind, expires_at)
    select ${sessionId}, * from unnest(${hashes}::text[], ${kinds}::text[], ${ends}::timestamptz[])`,
)

export async function addTokens(db: Db, sessionId: string, tokens: NewToken[]) {
  await tokensAdded.send(db, {
    sessionId,
    hashes: tokens.map(({ token }) => hashOf(token)),
    kinds: tokens.map(({ kind }) => kind),
    ends: tokens.map(({ expiresAt }) => expiresAt),
  })
}

type Signed = Pick<User, 'email' | 'emailVerified' | 'claimed' | 'displayName' | 'language'> & {
  uid: string
  sessionId: string
  signedInAt: Date
  expiresAt: Date
}

type Token = { hash: string; now: Date }

const signedIn = ({ hash, now }: Given<Token>) => sql`
  select u.id uid, u.email, u.email_verified "emailVerified", u.claimed, u.display_name "displayName", u.language,
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

const writing = statement<Token & Write, Signed & Omit<Count, 'key'>>(
  'session_of_a_write',
  (given) => sql`
    with found as (${signedIn(given)}), counted as (${countOf(
      sql`select ${given.limit} || ':' || case when ${given.perSession} then "sessionId" else uid end
        || ':' || ${given.call}, ${given.within}::bigint from found`,
    )})
    select found.*, points, expire from found, counted`,
)

/** Finds as `findByAccessToken` does, and counts a write of the user, or of the session. */
export async function countWrite(db: Db, token: string, now: Date, write: Write) {
  const row = await writing.first(db, { hash: hashOf(token), now, ...write })
  return row && { ...toSession(row), count: { points: row.points, expire: row.expire } }
}

function toSession({ sessionId, signedInAt, expiresAt, ...row }: Signed) {
  const { uid, email, emailVerified, claimed, displayName, language } = row
  const user = { uid, email, emailVerified, claimed, displayName, language }
  return { user, session: { id: sessionId, signedInAt }, expiresAt }
}

type Refreshing = User & {
  sessionId: string
  startedAt: Date
  tokenEnds: Date
  tokenUsedAt: Date | null
}

const byRefreshToken = statement<{ hash: string }, Refreshing>(
  'session_by_refresh_token',
  ({ hash }) => sql`
    select ${columns(users)}, s.id "sessionId", s.started_at "startedAt",
      t.expires_at "tokenEnds", t.used_at "tokenUsedAt"
    from session_tokens t join sessions s on s.id = t.session_id join users on users.id = s.user_id
    where t.hash = ${hash} and t.kind = 'refresh'`,
)

export async function findByRefreshToken(db: Db, token: string) {
  const row = await byRefreshToken.first(db, { hash: hashOf(token) })
  if (!row) return undefined
  const { sessionId: id, startedAt, tokenEnds: expiresAt, tokenUsedAt: usedAt, ...user } = row
  return { user, session: { id, userId: user.id, startedAt }, expiresAt, usedAt }
}

const lockedByToken = statement<{ hash: string }>(
  'session_lock_by_token',
  ({ hash }) => sql`
    select from sessions where id in (select session_id from session_tokens where hash = ${hash}) for update`,
)

export async function lockByRefreshToken(db: Db, token: string) {
  await lockedByToken.send(db, { hash: hashOf(token) })
}

const exchanged = statement<{ hash: string; sessionId: string; now: Date }>(
  'session_exchange',
  ({ hash, sessionId, now }) => sql`
    with token as (update session_tokens set used_at = ${now} where hash = ${hash})
    update sessions set used_at = ${now} where id = ${sessionId}`,
)

/** Marks the token as exchanged and its session as used. The caller has locked the session. */
export async function exchange(db: Db, token: string, sessionId: string, now: Date) {
  await exchanged.send(db, { hash: hashOf(token), sessionId, now })
}

const held = statement<{ id: string }, object>(
  'session_hold',
  ({ id }) => sql`select from sessions where id = ${id} for key share`,
)

/** Keeps a session from ending until the transaction ends. False if the session has ended. */
export async function hold(db: Db, id: string) {
  return (await held.first(db, { id })) !== undefined
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

export const end = statement<{ id: string }>(
  'session_end',
  ({ id }) => sql`delete from sessions where id = ${id}`,
).send

/** All sessions of a user but `except`, if given. */
export const endAllOf = statement<{ userId: string; except: string | undefined }>(
  'sessions_end_all',
  ({ userId, except }) => sql`
    delete from sessions where user_id = ${userId} and id is distinct from ${except}`,
).send

export async function removeExpired(db: Db, now: Date) {
  await db.delete(sessionTokens).where(lt(sessionTokens.expiresAt, now))
  await db
    .delete(sessions)
    .where(
      sql`not exists (select from ${sessionTokens} where ${sessionTokens.sessionId} = ${sessions.id})`,
    )
}
