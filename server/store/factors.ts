import { eq } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { hashOf } from '../platform/ids.ts'
import { enrollments, factors, users, type resolvers } from './schema.ts'
import { all, columns, first, run, some, value } from '../sql/statement.ts'
import type { User } from './users.ts'

export type Factor = typeof factors.$inferSelect
type Enrollment = typeof enrollments.$inferSelect

export async function listOf(db: Db, userId: string) {
  return all<Factor>(db, 'factors_of_user')`
    select ${columns(factors)} from factors where user_id = ${userId} order by created_at, id`
}

export async function add(db: Db, factor: Factor) {
  await db.insert(factors).values(factor)
}

/** False if there is no such factor of the user. */
export function rename(
  db: Db,
  { id, userId, displayName }: Pick<Factor, 'id' | 'userId' | 'displayName'>,
) {
  return some(db, 'factor_rename')`
    update factors set display_name = ${displayName} where id = ${id} and user_id = ${userId}`
}

/** The factor that was removed; undefined if there is none of the user. */
export function remove(db: Db, { id, userId }: Pick<Factor, 'id' | 'userId'>) {
  return first<Factor>(db, 'factor_remove')`
    delete from factors where id = ${id} and user_id = ${userId} returning ${columns(factors)}`
}

/** When something was added: at the earliest, and at the latest. */
export type Added = { since?: Date | undefined; until?: Date | undefined }

/** Removes the user's factors, and returns them. */
export async function removeAllOf(db: Db, userId: string, { since, until }: Added) {
  return all<Factor>(db, 'factors_remove_all')`
    delete from factors where user_id = ${userId} and created_at >= coalesce(${since}::timestamptz, '-infinity')
      and created_at <= coalesce(${until}::timestamptz, 'infinity') returning ${columns(factors)}`
}

/** Whether the user has a factor of any type. */
export function has(db: Db, userId: string) {
  return some(db, 'factor_of_user')`select from factors where user_id = ${userId} limit 1`
}

/**
 * Notes whether the user has a second step, and returns it. Without one there are no recovery codes,
 * else removes those that were `added` then. Without any factor, no session and no
 * access token has passed a second step any more. The caller has locked the user.
 */
export async function settle(db: Db, userId: string, added?: Added) {
  const { since, until } = added ?? { since: new Date(8.64e15) }
  const user = await first<Pick<User, 'hasSecondStep'>>(db, 'factors_settle')`
    with settled as (
      update users set has_second_step = exists (select from factors where user_id = users.id and type = 'totp')
      where id = ${userId} returning has_second_step "hasSecondStep"
    ), shut as (
      update sessions set second_step_at = null where user_id = ${userId} and second_step_at is not null
        and not exists (select from factors where user_id = ${userId})
    ), tokens as (
      update access_tokens set second_step_at = null where user_id = ${userId} and second_step_at is not null
        and not exists (select from factors where user_id = ${userId})
    ), removed as (
      delete from recovery_codes where user_id = ${userId} and (not (select "hasSecondStep" from settled)
        or created_at >= coalesce(${since}::timestamptz, '-infinity') and created_at <= coalesce(${until}::timestamptz, 'infinity'))
    )
    select "hasSecondStep" from settled`
  return user?.hasSecondStep ?? false
}

/** A passkey with its user. */
export async function findPasskey(db: Db, credentialId: string) {
  const [found] = await db
    .select({ factor: factors, user: users })
    .from(factors)
    .innerJoin(users, eq(users.id, factors.userId))
    .where(eq(factors.credentialId, credentialId))
  return found
}

/** The passkeys that were made for other domains, and how many were for this one. */
export async function countPasskeys(db: Db, rpId: string) {
  const found = await first<{ own: number; others: number }>(db, 'passkeys_count')`
    select count(*) filter (where rp_id = ${rpId})::int own, count(*) filter (where rp_id <> ${rpId})::int others
    from factors where type = 'passkey'`
  return found!
}

/**
 * Notes that a passkey was used. False if it is of one device, which counts, and this is no higher
 * count: somebody may have copied it.
 */
export function usePasskey(
  db: Db,
  { id, counter, now }: { id: string; counter: number; now: Date },
) {
  return some(db, 'factor_use_passkey')`
    update factors set counter = ${counter}, last_used_at = ${now}
    where id = ${id} and (is_synced or counter < ${counter} or counter = 0 and ${counter} = 0)`
}

/** Notes that a code was used. False if it, or one of a later time, was used before. */
export function useCode(db: Db, { id, step, now }: { id: string; step: number; now: Date }) {
  return some(db, 'factor_use_code')`
    update factors set last_step = ${step}, last_used_at = ${now} where id = ${id} and last_step < ${step}`
}

/** Replaces the user's recovery codes. */
export function putRecoveryCodes(
  db: Db,
  { userId, codes, now }: { userId: string; codes: string[]; now: Date },
) {
  const hashes = codes.map(hashOf)
  return run(db, 'recovery_codes_put')`
    with former as (delete from recovery_codes where user_id = ${userId})
    insert into recovery_codes (user_id, hash, created_at)
    select ${userId}, hash, ${now} from unnest(${hashes}::text[]) hash`
}

/** Uses up a code. Of several callers at once, exactly one gets true. */
export function useRecoveryCode(db: Db, { userId, code }: { userId: string; code: string }) {
  return some(db, 'recovery_code_use')`
    delete from recovery_codes where user_id = ${userId} and hash = ${hashOf(code)}`
}

export function countRecoveryCodes(db: Db, userId: string) {
  return value<number>(db, 'recovery_codes_count')`
    select count(*) from recovery_codes where user_id = ${userId}`
}

export async function addEnrollment(db: Db, enrollment: Enrollment) {
  await db.insert(enrollments).values(enrollment)
}

/** Ends an enrollment that its session can still finish, and returns it. */
export function takeEnrollment(
  db: Db,
  { id, sessionId, now }: { id: string; sessionId: string; now: Date },
) {
  return first<Enrollment>(db, 'enrollment_take')`
    delete from enrollments where id = ${id} and session_id = ${sessionId} and expires_at > ${now}
    returning ${columns(enrollments)}`
}

type NewResolver = Omit<typeof resolvers.$inferSelect, 'hash' | 'browserHash' | 'tries'> & Held
type Held = { resolver: string; browser: string }

export function addResolver(db: Db, { resolver, browser, ...row }: NewResolver) {
  return run(db, 'resolver_add')`
    insert into resolvers (hash, browser_hash, user_id, credentials_version, claims, expires_at)
    values (${hashOf(resolver)}, ${hashOf(browser)}, ${row.userId}, ${row.credentialsVersion}, ${row.claims}, ${row.expiresAt})`
}

/**
 * Counts a try. Undefined if none is left, or if the sign-in has ended or is another browser's. There
 * is no `user` if the passkey of anybody may answer.
 */
export async function tryResolver(
  db: Db,
  { resolver, browser, tries, now }: Held & { tries: number; now: Date },
) {
  const row = await first<(User | { id: null }) & { claims: string | null; of: string | null }>(
    db,
    'resolver_try',
  )`
    with tried as (
      update resolvers set tries = tries + 1
      where hash = ${hashOf(resolver)} and browser_hash = ${hashOf(browser)} and tries < ${tries} and expires_at > ${now}
      returning user_id, credentials_version, claims
    )
    select ${columns(users)}, tried.claims, tried.user_id "of" from tried
      left join users on users.id = tried.user_id and users.credentials_version = tried.credentials_version and not disabled`
  if (!row) return undefined
  const { claims, of, ...user } = row
  if (of === null) return { claims }
  return user.id === null ? undefined : { user, claims }
}

/** Ends a sign-in that waits. Of several callers at once, exactly one gets true. */
export function endResolver(db: Db, resolver: string) {
  return some(db, 'resolver_end')`delete from resolvers where hash = ${hashOf(resolver)}`
}

export async function removeExpired(db: Db, now: Date) {
  await run(db, 'resolvers_remove_expired')`delete from resolvers where expires_at < ${now}`
  await run(db, 'enrollments_remove_expired')`delete from enrollments where expires_at < ${now}`
}

/** Some factors with a sealed secret, in the order of their ids. */
export function listSealed(db: Db, after: string, count: number) {
  return all<{ id: string; secret: string }>(db, 'factors_sealed')`
    select id, secret from factors where id > ${after} and secret is not null order by id limit ${count}`
}

export function reseal(db: Db, { id, from, to }: { id: string; from: string; to: string }) {
  return run(db, 'factor_reseal')`
    update factors set secret = ${to} where id = ${id} and secret = ${from}`
}
