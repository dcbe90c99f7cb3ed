import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { hashOf } from '../platform/ids.ts'
import { enrollments, factors, recoveryCodes, resolvers, users } from './schema.ts'
import { all, columns, first, run } from '../sql/statement.ts'
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
export async function rename(
  db: Db,
  { id, userId, displayName }: Pick<Factor, 'id' | 'userId' | 'displayName'>,
) {
  const { rowCount } = await db.update(factors).set({ displayName }).where(isOf(id, userId))
  return rowCount === 1
}

/** The factor that was removed; undefined if there is none of the user. */
export async function remove(db: Db, { id, userId }: Pick<Factor, 'id' | 'userId'>) {
  const [removed] = await db.delete(factors).where(isOf(id, userId)).returning()
  return removed
}

function isOf(id: string, userId: string) {
  return and(eq(factors.id, id), eq(factors.userId, userId))
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
export async function has(db: Db, userId: string) {
  const row = await first(db, 'factor_of_user')`
    select from factors where user_id = ${userId} limit 1`
  return row !== undefined
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
export async function usePasskey(
  db: Db,
  { id, counter, now }: { id: string; counter: number; now: Date },
) {
  const row = await first(db, 'factor_use_passkey')`
    update factors set counter = ${counter}, last_used_at = ${now}
    where id = ${id} and (is_synced or counter < ${counter} or counter = 0 and ${counter} = 0) returning id`
  return row !== undefined
}

/** Notes that a code was used. False if it, or one of a later time, was used before. */
export async function useCode(db: Db, { id, step, now }: { id: string; step: number; now: Date }) {
  const row = await first(db, 'factor_use_code')`
    update factors set last_step = ${step}, last_used_at = ${now} where id = ${id} and last_step < ${step} returning id`
  return row !== undefined
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
export async function useRecoveryCode(db: Db, { userId, code }: { userId: string; code: string }) {
  const { rowCount } = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hashOf(code))))
  return rowCount === 1
}

export async function countRecoveryCodes(db: Db, userId: string) {
  const found = await first<{ count: number }>(db, 'recovery_codes_count')`
    select count(*)::int count from recovery_codes where user_id = ${userId}`
  return found!.count
}

export async function addEnrollment(db: Db, enrollment: Enrollment) {
  await db.insert(enrollments).values(enrollment)
}

/** Ends an enrollment that its session can still finish, and returns it. */
export async function takeEnrollment(
  db: Db,
  { id, sessionId, now }: { id: string; sessionId: string; now: Date },
) {
  const [taken] = await db
    .delete(enrollments)
    .where(
      and(
        eq(enrollments.id, id),
        eq(enrollments.sessionId, sessionId),
        sql`${enrollments.expiresAt} > ${now}`,
      ),
    )
    .returning()
  return taken
}

type NewResolver = Omit<typeof resolvers.$inferSelect, 'hash' | 'browserHash' | 'tries'> & Held
type Held = { resolver: string; browser: string }

export async function addResolver(db: Db, { resolver, browser, ...row }: NewResolver) {
  const hashes = { hash: hashOf(resolver), browserHash: hashOf(browser) }
  await db.insert(resolvers).values({ ...row, ...hashes })
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
export async function endResolver(db: Db, resolver: string) {
  const { rowCount } = await db.delete(resolvers).where(eq(resolvers.hash, hashOf(resolver)))
  return rowCount === 1
}

export async function removeExpired(db: Db, now: Date) {
  await db.delete(resolvers).where(lt(resolvers.expiresAt, now))
  await db.delete(enrollments).where(lt(enrollments.expiresAt, now))
}

/** Some factors with a sealed secret, in the order of their ids. */
export async function listSealed(db: Db, after: string, count: number) {
  return db
    .select({ id: factors.id, secret: sql<string>`${factors.secret}` })
    .from(factors)
    .where(sql`${factors.id} > ${after} and ${factors.secret} is not null`)
    .orderBy(factors.id)
    .limit(count)
}

export async function reseal(db: Db, { id, from, to }: { id: string; from: string; to: string }) {
  await db
    .update(factors)
    .set({ secret: to })
    .where(and(eq(factors.id, id), eq(factors.secret, from)))
}
