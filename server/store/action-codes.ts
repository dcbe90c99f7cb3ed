import type { ActionCodeMode } from '#contract/entities.ts'
import { eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { hashOf } from '../platform/ids.ts'
import { actionCodes, users } from './schema.ts'
import { columns, statement } from '../sql/statement.ts'

export type Code = typeof actionCodes.$inferSelect
type NewCode = Omit<Code, 'hash' | 'createdAt' | 'endedAt'> & { code: string; now: Date }

const added = statement<Omit<NewCode, 'code'> & { hash: string }>(
  'action_code_add',
  (given) => sql`
    insert into action_codes (hash, user_id, mode, email, session_id, created_at, expires_at)
    values (${given.hash}, ${given.userId}, ${given.mode}, ${given.email}, ${given.sessionId}, ${given.now}, ${given.expiresAt})`,
)

export async function add(db: Db, { code, ...rest }: NewCode) {
  await added.send(db, { ...rest, hash: hashOf(code) })
}

const endedOf = statement<{
  userId: string
  modes: ActionCodeMode[]
  now: Date
  since: Date | undefined
}>(
  'action_codes_end_all',
  ({ userId, modes, now, since }) => sql`
    update action_codes set ended_at = ${now}
    where user_id = ${userId} and mode = any(${modes}::text[]) and created_at >= coalesce(${since}::timestamptz, '-infinity')
      and ended_at is null`,
)

/** With `since`, ends only the codes of these modes that were created then or later. */
export async function endAllOf(
  db: Db,
  userId: string,
  modes: ActionCodeMode[],
  now: Date,
  { since }: { since?: Date } = {},
) {
  await endedOf.send(db, { userId, modes, now, since })
}

/** Ends the user's codes that were mailed to an address. */
export const endAllMailedTo = statement<{ userId: string; email: string; now: Date }>(
  'action_codes_end_all_mailed_to',
  ({ userId, email, now }) => sql`
    update action_codes set ended_at = ${now}
    where user_id = ${userId} and email = ${email} and ended_at is null`,
).send

const wayBack = statement<{ userId: string; mode: ActionCodeMode; now: Date }, Code>(
  'action_code_way_back',
  ({ userId, mode, now }) => sql`
    select ${columns(actionCodes)} from action_codes
    where user_id = ${userId} and mode = ${mode} and ended_at is null and expires_at > ${now}
      and not exists (select from users where users.email = action_codes.email)
    order by created_at desc limit 1`,
)

/** The newest link that can give the account back to a former address. */
export async function findWayBack(db: Db, userId: string, now: Date) {
  return wayBack.first(db, { userId, mode: 'recoverEmail', now })
}

export const removeAllOf = statement<{ userId: string; modes: ActionCodeMode[] }>(
  'action_codes_remove_all',
  ({ userId, modes }) => sql`
    delete from action_codes where user_id = ${userId} and mode = any(${modes}::text[])`,
).send

type OfUser = { id: string; userId: string }

const endedOfSession = statement<OfUser & { now: Date }>(
  'action_codes_end_all_of_session',
  ({ id, userId, now }) => sql`
    update action_codes set ended_at = ${now}
    where user_id = ${userId} and session_id = ${id} and ended_at is null`,
)

export async function endAllOfSession(db: Db, { id, userId }: OfUser, now: Date) {
  await endedOfSession.send(db, { id, userId, now })
}

/** Ends the user's codes of a mode that were mailed to other addresses. */
export const endOfOtherAddresses = statement<{
  userId: string
  mode: ActionCodeMode
  email: string
  now: Date
}>(
  'action_codes_end_of_other_addresses',
  ({ userId, mode, email, now }) => sql`
    update action_codes set ended_at = ${now}
    where user_id = ${userId} and mode = ${mode} and email <> ${email} and ended_at is null`,
).send

const consumed = statement<{ hash: string; now: Date }, object>(
  'action_code_consume',
  ({ hash, now }) => sql`
    update action_codes set ended_at = ${now} where hash = ${hash} and ended_at is null returning hash`,
)

/** Uses up a code. Of several callers at once, exactly one gets true. */
export async function consume(db: Db, code: string, now: Date) {
  return (await consumed.first(db, { hash: hashOf(code), now })) !== undefined
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
export const extend = statement<{ hash: string; expiresAt: Date }>(
  'action_code_extend',
  ({ hash, expiresAt }) => sql`
    update action_codes set expires_at = greatest(expires_at, ${expiresAt}) where hash = ${hash} and ended_at is null`,
).send

const newestTime = statement<
  { id: string; email: string; mode: ActionCodeMode; now: Date },
  { newest: Date | null }
>(
  'action_codes_newest_time',
  ({ id, email, mode, now }) => sql`
    select max(created_at) newest from action_codes
    where user_id = ${id} and mode = ${mode} and email = ${email} and ended_at is null and expires_at > ${now}`,
)

/** When the newest code of a mode that can still be used was mailed to the address. */
export async function findNewestTime(
  db: Db,
  { id, email }: { id: string; email: string },
  mode: ActionCodeMode,
  now: Date,
) {
  return (await newestTime.first(db, { id, email, mode, now }))?.newest ?? undefined
}

type Reservation = { email: string; modes: ActionCodeMode[]; except: string; now: Date }

const reserved = statement<Reservation, object>(
  'action_codes_reserved',
  ({ email, modes, except, now }) => sql`
    select from action_codes
    where email = ${email} and mode = any(${modes}::text[]) and user_id <> ${except}
      and ended_at is null and expires_at > ${now} limit 1`,
)

/** Whether a link of one of these modes was mailed to the address and others can still use it. */
export async function isReserved(db: Db, reservation: Reservation) {
  return (await reserved.first(db, reservation)) !== undefined
}

export async function removeExpired(db: Db, before: Date) {
  await db.delete(actionCodes).where(lt(actionCodes.expiresAt, before))
}
