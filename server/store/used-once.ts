import { and, eq, inArray, lte } from 'drizzle-orm'
import type { SubscriptionId } from '../platform/ids.ts'
import type { Db } from '../sql/database.ts'
import { usedOnce } from './schema.ts'

// Each `by` is a keyed hash: see server/core/once.ts.

/** Whether one of `by` has used it, or is about to. */
export async function has(db: Db, what: string, by: readonly string[], { settled = false } = {}) {
  const used = and(
    eq(usedOnce.what, what),
    inArray(usedOnce.by, [...by]),
    settled ? eq(usedOnce.settled, true) : undefined,
  )
  return (await db.$count(usedOnce, used)) > 0
}

type Use = { what: string; by: readonly string[]; subscriptionId: SubscriptionId; now: Date }

/** Takes it for a purchase or a change. False if others have a part of `by`: roll back then. */
export async function take(db: Db, { what, by, subscriptionId, now }: Use) {
  const rows = by.map((by) => ({ what, by, subscriptionId, usedAt: now }))
  await db.insert(usedOnce).values(rows).onConflictDoNothing()
  const isOwn = and(eq(usedOnce.subscriptionId, subscriptionId), eq(usedOnce.settled, false))
  const taken = and(eq(usedOnce.what, what), inArray(usedOnce.by, [...by]), isOwn)
  return (await db.$count(usedOnce, taken)) === by.length
}

/** The purchase or the change has succeeded. */
export async function settle(db: Db, subscriptionId: SubscriptionId) {
  await db
    .update(usedOnce)
    .set({ settled: true })
    .where(and(eq(usedOnce.subscriptionId, subscriptionId), eq(usedOnce.settled, false)))
}

/** The purchase or the change was undone, so that it can be used again. */
export async function release(db: Db, subscriptionId: SubscriptionId) {
  await db
    .delete(usedOnce)
    .where(and(eq(usedOnce.subscriptionId, subscriptionId), eq(usedOnce.settled, false)))
}

/** Keeps a deleted account's uses under the hash of its address for a while. */
export async function keep(db: Db, { by, as, until }: { by: string; as: string; until: Date }) {
  const rows = await db.delete(usedOnce).where(eq(usedOnce.by, by)).returning()
  if (rows.length === 0) return
  const kept = rows.map((row) => ({ ...row, by: as, keptUntil: until }))
  await db.insert(usedOnce).values(kept).onConflictDoNothing()
}

export async function removeKept(db: Db, { now }: { now: Date }) {
  await db.delete(usedOnce).where(lte(usedOnce.keptUntil, now))
}
