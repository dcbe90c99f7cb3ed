import type { CallName } from '#contract/calls.ts'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { hashOf, isAccessToken } from '../platform/ids.ts'
import type { CurrentToken } from './access-tokens.ts'
import { countOf, type Count } from './count-of.ts'
import { sessions, users } from './schema.ts'
import { shown, toEntity, type Shown } from './shown-subscription.ts'
import { all, columns, first, prepared, run, some, values } from '../sql/statement.ts'
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
export function add(db: Db, given: NewSession) {
  return run(db, 'session_add')`
    with holder as (
      select id from users
      where id = ${given.userId} and credentials_version = ${given.credentialsVersion} and not disabled
      for no key update
    ), session as (
      insert into sessions (id, user_id, started_at, signed_in_at, second_step_at, used_at, address, user_agent)
      values (${given.id}, coalesce((select id from holder), ''), ${given.startedAt}, ${given.signedInAt},
        ${given.secondStepAt}, ${given.usedAt}, ${given.address}, ${given.userAgent})
    )
    insert into activity (at, kind, actor_id, actor_name, details)
    select ${given.signedInAt}::timestamptz, 'signedIn', id, ${given.actorName}, ${given.details}::jsonb from holder`
}

export function keepNewestOf(db: Db, { userId, count }: { userId: string; count: number }) {
  return run(db, 'sessions_keep_newest')`
    delete from sessions where id in (
      select id from sessions where user_id = ${userId}
      order by used_at desc, started_at desc, id desc offset ${count})`
}

export async function addTokens(db: Db, sessionId: string, tokens: NewToken[]) {
  const hashes = tokens.map(({ token }) => hashOf(token))
  const kinds = tokens.map(({ kind }) => kind)
  const ends = tokens.map(({ expiresAt }) => expiresAt)
  await run(db, 'session_add_tokens')`
    insert into session_tokens (session_id, hash, kind, expires_at)
    select ${sessionId}, * from unnest(${hashes}::text[], ${kinds}::text[], ${ends}::timestamptz[])`
}

type Signed = Pick<
  User,
  'email' | 'emailVerified' | 'claimed' | 'displayName' | 'language' | 'hasSecondStep'
> & {
  uid: string
  sessionId: string
  signedInAt: Date
  secondStepAt: Date | null
  expiresAt: Date
  /** Of a program, whose token stands for a session. */
  accessToken?: CurrentToken | undefined
}

const signedIn = (token: string, now: Date) => sql`
  select u.id uid, u.email, u.email_verified "emailVerified", u.claimed, u.display_name "displayName", u.language,
    u.has_second_step "hasSecondStep", s.id "sessionId", s.signed_in_at "signedInAt", s.second_step_at "secondStepAt", t.expires_at "expiresAt"
  from session_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
  where t.hash = ${hashOf(token)} and t.kind = 'access' and t.expires_at > ${now}`

/** The maker of a program's token, which stands for a session that is recent for nothing. */
const ofProgram = (token: string, now: Date) => sql`
  select u.id uid, u.email, u.email_verified "emailVerified", u.claimed, u.display_name "displayName", u.language,
    u.has_second_step "hasSecondStep", t.id "sessionId", to_timestamp(0) "signedInAt", t.second_step_at "secondStepAt",
    t.expires_at "expiresAt", json_build_object('id', t.id, 'name', t.name, 'access', t.access,
      'subscriptionId', t.subscription_id) "accessToken"
  from access_tokens t join users u on u.id = t.user_id
  where t.hash = ${hashOf(token)} and t.expires_at > ${now}`

/** What begins the names of the statements that find a bearer, and the query that they share. */
function bearerOf(token: string, now: Date) {
  return isAccessToken(token)
    ? (['access_token', ofProgram(token, now)] as const)
    : (['session', signedIn(token, now)] as const)
}

/** Runs at every request, so that every server refuses an ended session at once. */
export async function findByAccessToken(db: Db, token: string, now: Date) {
  const [kind, bearer] = bearerOf(token, now)
  const rows = await prepared<Signed>(db, `${kind}_by_access_token`, bearer)
  return rows[0] && toSession(rows[0])
}

/** Finds as `findByAccessToken` does, and with it what `subscriptions.find` finds. */
export async function findWithSubscription(db: Db, token: string, now: Date, id: string) {
  const [kind, bearer] = bearerOf(token, now)
  const row = await first<Signed & (Shown | { id: null })>(db, `${kind}_with_subscription`)`
    select caller.*, ${shown}
    from (${bearer}) caller
      left join subscriptions on subscriptions.id = ${id} and subscriptions.status <> 'incomplete'`
  return row && { ...toSession(row), subscription: row.id === null ? undefined : toEntity(row) }
}

/** The name of the limit, and of the call. */
type Write = { limit: string; call: CallName; perSession: boolean; within: number }

/** Finds as `findByAccessToken` does, and counts a write of the user, or of the session. */
export async function countWrite(db: Db, token: string, now: Date, write: Write) {
  const { limit, call, perSession, within } = write
  const [kind, bearer] = bearerOf(token, now)
  const tries = sql`
    select ${limit} || ':' || case when ${perSession} then "sessionId" else uid end || ':' || ${call},
      ${within}::bigint from found`
  const row = await first<Signed & Omit<Count, 'key'>>(db, `${kind}_of_a_write`)`
    with found as (${bearer}), counted as (${countOf(tries)})
    select found.*, points, expire from found, counted`
  return row && { ...toSession(row), count: { points: row.points, expire: row.expire } }
}

function toSession({ sessionId, signedInAt, secondStepAt, expiresAt, ...row }: Signed) {
  const { uid, email, emailVerified, claimed, displayName, language, hasSecondStep } = row
  const { accessToken } = row
  const user = { uid, email, emailVerified, claimed, displayName, language, hasSecondStep }
  const session = { id: sessionId, signedInAt, secondStepAt }
  return { user: { ...user, accessToken }, session, expiresAt }
}

type Refreshing = User & {
  sessionId: string
  startedAt: Date
  secondStepAt: Date | null
  tokenEnds: Date
  tokenUsedAt: Date | null
}

export async function findByRefreshToken(db: Db, token: string) {
  const row = await first<Refreshing>(db, 'session_by_refresh_token')`
    select ${columns(users)}, s.id "sessionId", s.started_at "startedAt", s.second_step_at "secondStepAt",
      t.expires_at "tokenEnds", t.used_at "tokenUsedAt"
    from session_tokens t join sessions s on s.id = t.session_id join users on users.id = s.user_id
    where t.hash = ${hashOf(token)} and t.kind = 'refresh'`
  if (!row) return undefined
  const { sessionId: id, startedAt, secondStepAt, tokenEnds, tokenUsedAt: usedAt, ...user } = row
  const session = { id, userId: user.id, startedAt, secondStepAt }
  return { user, session, expiresAt: tokenEnds, usedAt }
}

export async function lockByRefreshToken(db: Db, token: string) {
  await run(db, 'session_lock_by_token')`
    select from sessions where id in (select session_id from session_tokens where hash = ${hashOf(token)}) for update`
}

/** Marks the token as exchanged and its session as used. The caller has locked the session. */
export async function exchange(db: Db, token: string, sessionId: string, now: Date) {
  await run(db, 'session_exchange')`
    with token as (update session_tokens set used_at = ${now} where hash = ${hashOf(token)})
    update sessions set used_at = ${now} where id = ${sessionId}`
}

/** Keeps a session from ending until the transaction ends. False if the session has ended. */
export function hold(db: Db, id: string) {
  return some(db, 'session_hold')`select from sessions where id = ${id} for key share`
}

export async function listOf(db: Db, userId: string) {
  return all<Session>(db, 'sessions_of_user')`
    select ${columns(sessions)} from sessions where user_id = ${userId} order by used_at desc, id desc`
}

/** The ids among these whose sessions, or access tokens, have not ended. */
export async function listOpen(db: Db, ids: string[]) {
  const open = await values<string>(db, 'sessions_open')`
    select id from sessions where id = any(${ids}::text[])
    union all select id from access_tokens where id = any(${ids}::text[])`
  return new Set(open)
}

/** The ids among these whose sessions, or those that made the token, have passed a second step. */
export async function listPassed(db: Db, ids: string[]) {
  const passed = await values<string>(db, 'sessions_passed')`
    select id from sessions where id = any(${ids}::text[]) and second_step_at is not null
    union all select id from access_tokens where id = any(${ids}::text[]) and second_step_at is not null`
  return new Set(passed)
}

type Passed = Partial<Pick<Session, 'signedInAt' | 'secondStepAt'>>

export async function markPassed(db: Db, id: string, passed: Passed) {
  await db.update(sessions).set(passed).where(eq(sessions.id, id))
}

export function endOf(db: Db, userId: string, id: string) {
  return some(db, 'session_end_of_user')`
    delete from sessions where id = ${id} and user_id = ${userId}`
}

export function end(db: Db, { id }: { id: string }) {
  return run(db, 'session_end')`
    delete from sessions where id = ${id}`
}

/** All sessions of a user but `except`, if given. */
export function endAllOf(
  db: Db,
  { userId, except }: { userId: string; except: string | undefined },
) {
  return run(db, 'sessions_end_all')`
    delete from sessions where user_id = ${userId} and id is distinct from ${except}`
}

export async function removeExpired(db: Db, now: Date) {
  await run(db, 'session_tokens_remove_expired')`
    delete from session_tokens where expires_at < ${now}`
  await run(db, 'sessions_remove_expired')`
    delete from sessions where not exists (select from session_tokens where session_id = sessions.id)`
}
