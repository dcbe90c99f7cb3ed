import type { ActionCodeMode } from '#contract/entities.ts'
import { and, eq, gt, gte, inArray, isNull, lt, ne } from 'drizzle-orm'
import type { Db } from './database.ts'
import { hashOf } from '../platform/ids.ts'
import { actionCodes, users } from './schema.ts'

export type Code = typeof actionCodes.$inferSelect
type NewCode = {
  code: string
  userId: string
  mode: ActionCodeMode
  email: string
  sessionId: string | null
  now: Date
  expiresAt: Date
}

export async function add(db: Db, { code, now, ...rest }: NewCode) {
  await db.insert(actionCodes).values({ ...rest, hash: hashOf(code), createdAt: now })
}

/** Ends the user's codes of these kinds; with `since` those that are no older. */
export async function endAllOf(
  db: Db,
  userId: string,
  modes: ActionCodeMode[],
  now: Date,
  { since }: { since?: Date } = {},
) {
  const isNoOlder = since && gte(actionCodes.createdAt, since)
  await db
    .update(actionCodes)
    .set({ endedAt: now })
    .where(
      and(
        eq(actionCodes.userId, userId),
        inArray(actionCodes.mode, modes),
        isNull(actionCodes.endedAt),
        isNoOlder,
      ),
    )
}

export async function removeAllOf(db: Db, userId: string, modes: ActionCodeMode[]) {
  await db
    .delete(actionCodes)
    .where(and(eq(actionCodes.userId, userId), inArray(actionCodes.mode, modes)))
}

type OfUser = { id: string; userId: string }

/** Ends what a session asked for. */
export async function endAllOfSession(db: Db, { id, userId }: OfUser, now: Date) {
  await db
    .update(actionCodes)
    .set({ endedAt: now })
    .where(
      and(
        eq(actionCodes.userId, userId),
        eq(actionCodes.sessionId, id),
        isNull(actionCodes.endedAt),
      ),
    )
}

/** Ends the codes of a kind that went to another address than this one. */
export async function endOfOtherAddresses(
  db: Db,
  userId: string,
  mode: ActionCodeMode,
  email: string,
  now: Date,
) {
  await db
    .update(actionCodes)
    .set({ endedAt: now })
    .where(
      and(
        eq(actionCodes.userId, userId),
        eq(actionCodes.mode, mode),
        ne(actionCodes.email, email),
        isNull(actionCodes.endedAt),
      ),
    )
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

/** Whether a link that went to this address can give it back to the account that has left it. */
export async function isReserved(db: Db, email: string, modes: ActionCodeMode[], now: Date) {
  const isOpen = and(
    inArray(actionCodes.mode, modes),
    isNull(actionCodes.endedAt),
    gt(actionCodes.expiresAt, now),
  )
  return (await db.$count(actionCodes, and(eq(actionCodes.email, email), isOpen))) > 0
}

/** Uses the code up: true for exactly one of several callers. */
export async function consume(db: Db, code: string, now: Date) {
  const used = await db
    .update(actionCodes)
    .set({ endedAt: now })
    .where(and(eq(actionCodes.hash, hashOf(code)), isNull(actionCodes.endedAt)))
    .returning({ hash: actionCodes.hash })
  return used.length === 1
}

export async function removeExpired(db: Db, before: Date) {
  await db.delete(actionCodes).where(lt(actionCodes.expiresAt, before))
}
