import type { PermissionKey } from '#config/permissions.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { isIn } from '../sql/fold.ts'
import { users } from './schema.ts'
import { all, columns, first, run, some, values } from '../sql/statement.ts'

export type User = typeof users.$inferSelect
type NewUser = Omit<typeof users.$inferInsert, 'createdAt' | 'updatedAt'> & { now: Date }

/** Adds a user. Undefined if the address is taken. */
export async function add(db: Db, user: NewUser) {
  const { id, email, emailVerified = false, claimed = false } = user
  const { displayName, avatarUrl, language, now } = user
  return first<User>(db, 'user_add')`
    insert into users (id, email, email_verified, claimed, display_name, avatar_url, language, created_at, updated_at)
    values (${id}, ${email}, ${emailVerified}, ${claimed}, ${displayName}, ${avatarUrl}, ${language}, ${now}, ${now})
    on conflict (email) do nothing returning ${columns(users)}`
}

export async function find(db: Db, id: string) {
  return first<User>(db, 'user')`
    select ${columns(users)} from users where id = ${id}`
}

/** The members of a subscription who hold one of these permissions. */
export async function listHolders(db: Db, subscriptionId: string, permissions: PermissionKey[]) {
  return all<User>(db, 'users_holding')`
    select ${columns(users)} from users where id in (
      select user_id from members where subscription_id = ${subscriptionId} and permissions && ${permissions}::text[])`
}

export function areAny(db: Db) {
  return some(db, 'users_any')`select from users limit 1`
}

/** Also tells how the user can sign in. The built-in identity provider alone stores passwords. */
export type UserRecord = User & {
  hasStoredPassword: boolean
  providers: string[]
  undeliverableEmail: string | null
}

export async function findRecord(db: Db, id: string) {
  return first<UserRecord>(db, 'user_record')`
    select ${columns(users)}, exists (select from passwords where user_id = users.id) "hasStoredPassword",
      array(select provider from provider_links where user_id = users.id order by created_at) providers,
      (select address from (
        select hash from action_codes
        where user_id = users.id and mode in ('verifyEmail', 'verifyAndChangeEmail') and ended_at is null
        order by created_at desc limit 1
      ) newest join refused_mails on about = hash) "undeliverableEmail"
    from users where id = ${id}`
}

export async function findByEmail(db: Db, email: string) {
  return (await findCredentials(db, email)).user
}

/** What a sign-in with an address needs. There may be no account, or one without a password. */
export type Credentials = { email: string; user?: User; passwordHash?: string | null }

export async function findCredentials(db: Db, email: string): Promise<Credentials> {
  const found = await first<{ passwordHash: string | null } & User>(db, 'user_credentials')`
    select (select hash from passwords where user_id = users.id) "passwordHash", ${columns(users)}
    from users where email = ${email}`
  if (!found) return { email }
  const { passwordHash, ...user } = found
  return { email, user, passwordHash }
}

export function setPassword(db: Db, { userId, hash }: { userId: string; hash: string }) {
  return run(db, 'user_set_password')`
    insert into passwords (user_id, hash) values (${userId}, ${hash})
    on conflict (user_id) do update set hash = excluded.hash`
}

/** Replaces a hash by another one, unless it has been changed. */
export function replacePassword(
  db: Db,
  { userId, former, hash }: { userId: string; former: string; hash: string },
) {
  return run(db, 'user_replace_password')`
    update passwords set hash = ${hash} where user_id = ${userId} and hash = ${former}`
}

export function removePassword(db: Db, { userId }: { userId: string }) {
  return run(db, 'user_remove_password')`
    delete from passwords where user_id = ${userId}`
}

type NewEmail = Pick<User, 'id' | 'email' | 'emailVerified' | 'claimed'> & { now: Date }

/** Sets the user's address. False if another user has it. */
export function setEmail(db: Db, { id, email, emailVerified, claimed, now }: NewEmail) {
  return some(db, 'user_set_email')`
    update users set email = ${email}, email_verified = ${emailVerified}, claimed = ${claimed}, updated_at = ${now}
    where id = ${id} and ${isFree(email, id)}`
}

function isFree(email: string, id: string) {
  return sql`not exists (select from users other where other.email = ${email} and other.id <> ${id})`
}

/** Locks the user. A sign-in that has checked the former credentials then gets no session. */
export async function renewCredentials(db: Db, id: string) {
  return first<User>(db, 'user_renew_credentials')`
    update users set credentials_version = credentials_version + 1 where id = ${id} returning ${columns(users)}`
}

/** Until the transaction ends, nobody else can change the user or add rows that refer to it. */
export async function lock(db: Db, id: string) {
  return first<User>(db, 'user_lock')`
    select ${columns(users)} from users where id = ${id} for update`
}

/** Keeps a user from being deleted until the transaction ends. False if that came first. */
export function hold(db: Db, id: string) {
  return some(db, 'user_hold')`select from users where id = ${id} for key share`
}

export function remove(db: Db, { id }: { id: string }) {
  return run(db, 'user_remove')`
    delete from users where id = ${id}`
}

/**
 * Undefined if the row has changed since it was read, or if another user has the address. A new
 * address, or one that is no longer verified, is not claimed.
 */
export async function copyAccount(
  db: Db,
  read: User,
  account: Pick<User, 'email' | 'emailVerified' | 'displayName' | 'disabled'>,
  now: Date,
) {
  const { email, emailVerified, displayName, disabled } = account
  const claimed = read.claimed && emailVerified && email === read.email
  return first<User>(db, 'user_copy_account')`
    update users set email = ${email}, email_verified = ${emailVerified}, display_name = ${displayName},
      disabled = ${disabled}, claimed = ${claimed}, updated_at = ${now}
    where id = ${read.id} and updated_at = ${read.updatedAt} and ${isFree(email, read.id)} returning ${columns(users)}`
}

export function markVerified(db: Db, { id, now }: { id: string; now: Date }) {
  return run(db, 'user_mark_verified')`
    update users set email_verified = true, updated_at = ${now} where id = ${id}`
}

export function claim(db: Db, { id, now }: { id: string; now: Date }) {
  return run(db, 'user_claim')`
    update users set email_verified = true, claimed = true, rejected_at = null, updated_at = ${now}
    where id = ${id}`
}

export function reject(db: Db, { id, now }: { id: string; now: Date }) {
  return run(db, 'user_reject')`
    update users set rejected_at = ${now}, updated_at = ${now} where id = ${id}`
}

/** The ids of the users that were rejected before a time and not claimed since. */
export function listRejected(db: Db, before: Date) {
  return values<string>(db, 'users_rejected')`select id from users where rejected_at < ${before}`
}

/** Plans when the user's factors are removed, or with null, that they are not. */
export function setFactorRemoval(db: Db, { id, at }: { id: string; at: Date | null }) {
  return run(db, 'user_set_factor_removal')`
    update users set factors_removed_at = ${at} where id = ${id}`
}

/** The ids of the users whose factors are to be removed by a time. */
export function listFactorRemovals(db: Db, by: Date) {
  return values<string>(db, 'users_factor_removals')`
    select id from users where factors_removed_at <= ${by}`
}

export function setDisabled(
  db: Db,
  { id, disabled, now }: { id: string; disabled: boolean; now: Date },
) {
  return run(db, 'user_set_disabled')`
    update users set disabled = ${disabled}, updated_at = ${now} where id = ${id}`
}

/** Users with this text in their name or address, or with this id. For operators. */
export function search(db: Db, text: string, limit: number) {
  return all<User>(db, 'users_search')`
    select ${columns(users)} from users
    where ${isIn(text, sql`(display_name || ' ' || email)`)} or id = ${text} order by email limit ${limit}`
}

/** Users with a session that was used since, the latest first. For operators. */
export function listActiveSince(db: Db, since: Date, limit: number) {
  return all<{ email: string; usedAt: Date }>(db, 'users_active_since')`
    select email, max(used_at) "usedAt" from sessions join users on users.id = user_id
    where used_at >= ${since} group by email order by 2 desc limit ${limit}`
}

type Changes = Partial<
  Pick<User, 'displayName' | 'avatarUrl' | 'language' | 'notices' | 'noticeWays'>
>

/** Replaces the fields that are given, and of the choices about notices those kinds and ways. */
export async function update(
  db: Db,
  id: string,
  { displayName, avatarUrl, language, notices = {}, noticeWays = {} }: Changes,
  now: Date,
) {
  await run(db, 'user_update')`
    update users set display_name = coalesce(${displayName}, display_name), avatar_url = coalesce(${avatarUrl}, avatar_url),
      language = coalesce(${language}, language), notices = notices || ${JSON.stringify(notices)}::jsonb,
      notice_ways = notice_ways || (
        select coalesce(jsonb_object_agg(key, coalesce(notice_ways -> key, '{}') || value), '{}')
        from jsonb_each(${JSON.stringify(noticeWays)}::jsonb)
      ), updated_at = ${now}
    where id = ${id}`
}

/** Mails a user no more of a kind of notice, or of those in the mail of the day. */
export function endNotices(db: Db, { id, kind }: { id: string; kind: string }) {
  return run(db, 'user_end_notices')`
    update users set notices = notices || case when ${kind} = 'digest'
      then (select coalesce(jsonb_object_agg(key, false), '{}') from jsonb_each(notice_ways) where value @> '{"digest": true}')
      else jsonb_build_object(${kind}::text, false) end
    where id = ${id}`
}
