import type { ActionCodeMode } from '#contract/entities.ts'
import { and, eq, gt, gte, inArray, isNull, lt, max, ne, type SQL } from 'drizzle-orm'
import type { Db } from './database.ts'
import { hashOf } from '../platform/ids.ts'
import { actionCodes, users } from './schema.ts'

export type Code = typeof actionCodes.$inferSelect
type NewCode = Omit<Code, 'hash' | 'createdAt' | 'endedAt'> & { code: string; now: Date }

export async function add(db: Db, { code, now, ...rest }: NewCode) {
  await db.insert(actionCodes).values({ ...rest, hash: hashOf(code), createdAt: now })
}

/** With `since`, ends only the codes of these modes that were created then or later. */
export async function endAllOf(
  db: Db,
  userId: string,
  modes: ActionCodeMode[],
  now: Date,
  { since }: { since?: Date } = {},
) {
  const isRecent = since && gte(actionCodes.createdAt, since)
  await end(db, now, eq(actionCodes.userId, userId), inArray(actionCodes.mode, modes), isRecent)
}

export async function removeAllOf(db: Db, userId: string, modes: ActionCodeMode[]) {
  await db
    .delete(actionCodes)
    .where(and(eq(actionCodes.userId, userId), inArray(actionCodes.mode, modes)))
}

type OfUser = { id: string; userId: string }

export async function endAllOfSession(db: Db, { id, userId }: OfUser, now: Date) {
  await end(db, now, eq(actionCodes.userId, userId), eq(actionCodes.sessionId, id))
}

/** Ends the user's codes of a mode that were mailed to other addresses. */
export async function endOfOtherAddresses(
  db: Db,
  userId: string,
  mode: ActionCodeMode,
  email: string,
  now: Date,
) {
  const isOfMode = and(eq(actionCodes.userId, userId), eq(actionCodes.mode, mode))
  await end(db, now, isOfMode, ne(actionCodes.email, email))
}

/** Uses up a code. Of several callers at once, exactly one gets true. */
export async function consume(db: Db, code: string, now: Date) {
  return (await end(db, now, eq(actionCodes.hash, hashOf(code)))) === 1
}

async function end(db: Db, now: Date, ...conditions: (SQL | undefined)[]) {
  const { rowCount } = await db
    .update(actionCodes)
    .set({ endedAt: now })
    .where(and(...conditions, isNull(actionCodes.endedAt)))
  return rowCount
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

/** When the newest code of a mode that can still be used was mailed to the address. */
export async function findNewestTime(
  db: Db,
  { id, email }: { id: string; email: string },
  mode: ActionCodeMode,
  now: Date,
) {
  const isOpen = and(isNull(actionCodes.endedAt), gt(actionCodes.expiresAt, now))
  const isOfMode = and(eq(actionCodes.userId, id), eq(actionCodes.mode, mode))
  const [row] = await db
    .select({ newest: max(actionCodes.createdAt) })
    .from(actionCodes)
    .where(and(isOfMode, eq(actionCodes.email, email), isOpen))
  return row?.newest ?? undefined
}

/** Whether a link of one of these modes was mailed to the address and can still be used. */
export async function isReserved(db: Db, email: string, modes: ActionCodeMode[], now: Date) {
  const isOpen = and(
    inArray(actionCodes.mode, modes),
    isNull(actionCodes.endedAt),
    gt(actionCodes.expiresAt, now),
  )
  return (await db.$count(actionCodes, and(eq(actionCodes.email, email), isOpen))) > 0
}

export async function removeExpired(db: Db, before: Date) {
  await db.delete(actionCodes).where(lt(actionCodes.expiresAt, before))
}
