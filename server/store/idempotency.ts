import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { idempotencyKeys } from './schema.ts'
import { columns, statement } from './statement.ts'

export type Key = { userId: string; key: string }

/** A key with the hash of its request. */
export type Claim = Key & { request: string }

const is = ({ userId, key }: Key) =>
  and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key))

/** An advisory lock, because a row would lock the user's row before any subscription's. */
export const lock = statement<Key>(
  'idempotency_lock',
  ({ userId, key }) => sql`
    select pg_advisory_xact_lock(hashtextextended('idempotency key ' || ${userId} || ' ' || ${key}, 0))`,
).send

/** Claims a key for a request. Of several callers at once, exactly one gets true. */
export async function claim(db: Db, claim: Claim, now: Date) {
  const { rowCount } = await db
    .insert(idempotencyKeys)
    .values({ ...claim, createdAt: now })
    .onConflictDoNothing()
  return rowCount === 1
}

export const find = statement<Key, typeof idempotencyKeys.$inferSelect>(
  'idempotency_find',
  ({ userId, key }) => sql`
    select ${columns(idempotencyKeys)} from idempotency_keys where user_id = ${userId} and key = ${key}`,
).first

const kept = statement<Claim & { answer: string; now: Date }, { answer: unknown }>(
  'idempotency_keep',
  ({ userId, key, request, answer, now }) => sql`
    insert into idempotency_keys (user_id, key, request, answer, created_at)
    select id, ${key}, ${request}, ${answer}::jsonb, ${now} from users where id = ${userId}
    on conflict (user_id, key) do update set answer = coalesce(idempotency_keys.answer, excluded.answer)
      where idempotency_keys.request = excluded.request
    returning answer`,
)

/** Returns the answer kept first. Keeps none for a deleted account or under another's claim. */
export async function keep(db: Db, claim: Claim, answer: unknown, now: Date) {
  return (await kept.first(db, { ...claim, answer: JSON.stringify(answer), now }))?.answer
}

export async function release(db: Db, key: Key) {
  await db.delete(idempotencyKeys).where(and(is(key), isNull(idempotencyKeys.answer)))
}

/** Ends all claims that have no answer. Callers must be sure that no other server is running. */
export async function releaseAll(db: Db) {
  await db.delete(idempotencyKeys).where(isNull(idempotencyKeys.answer))
}

export async function removeOlder(db: Db, before: Date) {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before))
}
