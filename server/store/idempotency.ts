import { and, eq, isNull, lt } from 'drizzle-orm'
import type { Db } from './database.ts'
import { idempotencyKeys } from './schema.ts'

export type Key = { userId: string; key: string }

const is = ({ userId, key }: Key) => and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key))

/** Claims the key for a request: true for exactly one of several callers. Inside a transaction the others wait for its end. */
export async function claim(db: Db, key: Key, request: string, now: Date) {
  const claimed = await db
    .insert(idempotencyKeys)
    .values({ ...key, request, createdAt: now })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key })
  return claimed.length === 1
}

export async function find(db: Db, key: Key) {
  const [row] = await db.select().from(idempotencyKeys).where(is(key))
  return row
}

export async function keep(db: Db, key: Key, answer: unknown) {
  await db.update(idempotencyKeys).set({ answer }).where(is(key))
}

/** Gives up a claim whose call came to no answer. */
export async function release(db: Db, key: Key) {
  await db.delete(idempotencyKeys).where(and(is(key), isNull(idempotencyKeys.answer)))
}

/** Gives up the claims of servers that are gone. */
export async function releaseAll(db: Db) {
  await db.delete(idempotencyKeys).where(isNull(idempotencyKeys.answer))
}

export async function removeOlder(db: Db, before: Date) {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before))
}
