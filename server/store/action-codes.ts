import type { ActionCodeMode } from '#contract/entities.ts'
import { and, eq, inArray, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { hashOf } from './ids.ts'
import { actionCodes, users } from './schema.ts'

type NewCode = { code: string; userId: string; mode: ActionCodeMode; email: string; now: Date; expiresAt: Date }

export async function add(db: Db, { code, now, ...rest }: NewCode) {
  await db.insert(actionCodes).values({ ...rest, hash: hashOf(code), createdAt: now })
}

export async function endAllOf(db: Db, userId: string, modes: ActionCodeMode[], now: Date) {
  await db
    .update(actionCodes)
    .set({ endedAt: now })
    .where(and(eq(actionCodes.userId, userId), inArray(actionCodes.mode, modes), isNull(actionCodes.endedAt)))
}

/** Ends the codes of a kind that went to another address than this one. */
export async function endOfOtherAddresses(db: Db, userId: string, mode: ActionCodeMode, email: string, now: Date) {
  await db
    .update(actionCodes)
    .set({ endedAt: now })
    .where(and(eq(actionCodes.userId, userId), eq(actionCodes.mode, mode), ne(actionCodes.email, email), isNull(actionCodes.endedAt)))
}

/** The code with its user, whatever has become of it. */
export async function find(db: Db, code: string) {
  const [row] = await db
    .select({ code: actionCodes, user: users })
    .from(actionCodes)
    .innerJoin(users, eq(users.id, actionCodes.userId))
    .where(eq(actionCodes.hash, hashOf(code)))
  return row
}

/** Uses the code up, and ends the user's others of its kind: true for exactly one of several callers, whichever of these codes they have. */
export async function consume(db: Db, code: string, now: Date) {
  const hash = hashOf(code)
  const ofKind = sql`(${actionCodes.userId}, ${actionCodes.mode}) = (select user_id, mode from action_codes where hash = ${hash})`
  const ended = await db
    .update(actionCodes)
    .set({ endedAt: now })
    .where(and(ofKind, isNull(actionCodes.endedAt)))
    .returning({ hash: actionCodes.hash })
  return ended.some((row) => row.hash === hash)
}

export async function removeExpired(db: Db, before: Date) {
  await db.delete(actionCodes).where(lt(actionCodes.expiresAt, before))
}
