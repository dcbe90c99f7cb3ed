import type { ActionCodeMode } from '#contract/entities.ts'
import { eq } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { hashOf } from '../platform/ids.ts'
import { actionCodes, users } from './schema.ts'
import { columns, first, run, some, value, values } from '../sql/statement.ts'

export type Code = typeof actionCodes.$inferSelect
type NewCode = Omit<Code, 'hash' | 'createdAt' | 'endedAt'> & { code: string; now: Date }

export async function add(db: Db, { code, ...row }: NewCode) {
  await run(db, 'action_code_add')`
    insert into action_codes (hash, user_id, mode, email, session_id, created_at, expires_at)
    values (${hashOf(code)}, ${row.userId}, ${row.mode}, ${row.email}, ${row.sessionId}, ${row.now}, ${row.expiresAt})`
}

/** With `since`, ends only the codes of these modes that were created then or later. */
export async function endAllOf(
  db: Db,
  userId: string,
  modes: ActionCodeMode[],
  now: Date,
  { since }: { since?: Date } = {},
) {
  await run(db, 'action_codes_end_all')`
    update action_codes set ended_at = ${now}
    where user_id = ${userId} and mode = any(${modes}::text[]) and created_at >= coalesce(${since}::timestamptz, '-infinity')
      and ended_at is null`
}

/** Ends the user's codes that were mailed to an address. */
export function endAllMailedTo(
  db: Db,
  { userId, email, now }: { userId: string; email: string; now: Date },
) {
  return run(db, 'action_codes_end_all_mailed_to')`
    update action_codes set ended_at = ${now}
    where user_id = ${userId} and email = ${email} and ended_at is null`
}

/** The newest link that can give the account back to a former address. */
export async function findWayBack(db: Db, userId: string, now: Date) {
  return first<Code>(db, 'action_code_way_back')`
    select ${columns(actionCodes)} from action_codes
    where user_id = ${userId} and mode = 'recoverEmail' and ended_at is null and expires_at > ${now}
      and not exists (select from users where users.email = action_codes.email)
    order by created_at desc limit 1`
}

/** The addresses that the account has changed from since a time. */
export function listFormerAddresses(db: Db, userId: string, since: Date) {
  return values<string>(db, 'action_codes_former_addresses')`
    select distinct email from action_codes
    where user_id = ${userId} and mode = 'recoverEmail' and created_at >= ${since}`
}

export function removeAllOf(
  db: Db,
  { userId, modes }: { userId: string; modes: ActionCodeMode[] },
) {
  return run(db, 'action_codes_remove_all')`
    delete from action_codes where user_id = ${userId} and mode = any(${modes}::text[])`
}

type OfUser = { id: string; userId: string }

export async function endAllOfSession(db: Db, { id, userId }: OfUser, now: Date) {
  await run(db, 'action_codes_end_all_of_session')`
    update action_codes set ended_at = ${now}
    where user_id = ${userId} and session_id = ${id} and ended_at is null`
}

/** Ends the user's codes of a mode that were mailed to other addresses. */
export function endOfOtherAddresses(
  db: Db,
  { userId, mode, email, now }: { userId: string; mode: ActionCodeMode; email: string; now: Date },
) {
  return run(db, 'action_codes_end_of_other_addresses')`
    update action_codes set ended_at = ${now}
    where user_id = ${userId} and mode = ${mode} and email <> ${email} and ended_at is null`
}

/** Uses up a code. Of several callers at once, exactly one gets true. */
export function consume(db: Db, code: string, now: Date) {
  return some(db, 'action_code_consume')`
    update action_codes set ended_at = ${now} where hash = ${hashOf(code)} and ended_at is null`
}

/** The code with its user. The code may have ended or expired. */
export async function find(db: Db, code: string) {
  const [row] = await db
    .select({ code: actionCodes, user: users })
    .from(actionCodes)
    .innerJoin(users, eq(users.id, actionCodes.userId))
    .where(eq(actionCodes.hash, hashOf(code)))
  return row
}

/** Lets a code that can still be used expire later. */
export function extend(db: Db, { hash, expiresAt }: { hash: string; expiresAt: Date }) {
  return run(db, 'action_code_extend')`
    update action_codes set expires_at = greatest(expires_at, ${expiresAt}) where hash = ${hash} and ended_at is null`
}

/** When the newest code of a mode that can still be used was mailed to the address. */
export async function findNewestTime(
  db: Db,
  { id, email }: { id: string; email: string },
  mode: ActionCodeMode,
  now: Date,
) {
  const newest = await value<Date | null>(db, 'action_codes_newest_time')`
    select max(created_at) from action_codes
    where user_id = ${id} and mode = ${mode} and email = ${email} and ended_at is null and expires_at > ${now}`
  return newest ?? undefined
}

type Reservation = { email: string; modes: ActionCodeMode[]; except: string; now: Date }

/** Whether a link of one of these modes was mailed to the address and others can still use it. */
export function isReserved(db: Db, { email, modes, except, now }: Reservation) {
  return some(db, 'action_codes_reserved')`
    select from action_codes
    where email = ${email} and mode = any(${modes}::text[]) and user_id <> ${except}
      and ended_at is null and expires_at > ${now} limit 1`
}

export function removeExpired(db: Db, before: Date) {
  return run(db, 'action_codes_remove_expired')`
    delete from action_codes where expires_at < ${before}`
}
