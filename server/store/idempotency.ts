import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { columns, statement } from '../sql/statement.ts'
import { idempotencyKeys } from './schema.ts'

export type Key = { userId: string; key: string }
/** A key with the hash of its request. */
export type Claim = Key & { request: string }
type Claiming = Claim & { by: string; now: Date; leftBefore: Date }

/** An advisory lock, because a row would lock the user's row before any subscription's. */
export const lock = statement<Key>(
  'idempotency_lock',
  ({ userId, key }) => sql`
    select pg_advisory_xact_lock(hashtextextended('idempotency key ' || ${userId} || ' ' || ${key}, 0))`,
).send

/** Claims a key for a request of a server, also one whose claim is old or whose server is dead. */
export const claim = statement<Claiming, Key>(
  'idempotency_claim',
  ({ userId, key, request, by, now, leftBefore }) => sql`
    insert into idempotency_keys (user_id, key, request, claimed_by, created_at)
    values (${userId}, ${key}, ${request}, ${by}, ${now})
    on conflict (user_id, key) do update set claimed_by = excluded.claimed_by, created_at = excluded.created_at
      where idempotency_keys.answer is null and idempotency_keys.request = excluded.request
        and (idempotency_keys.created_at <= ${leftBefore}
          or not exists (select from servers where id = idempotency_keys.claimed_by))
    returning user_id "userId", key`,
).first

export const find = statement<Key, typeof idempotencyKeys.$inferSelect>(
  'idempotency_find',
  ({ userId, key }) => sql`
    select ${columns(idempotencyKeys)} from idempotency_keys where user_id = ${userId} and key = ${key}`,
).first

/**
 * Returns the answer kept first, with the transaction that kept this one. Keeps none for a deleted
 * account or under another's claim. `answer` is JSON.
 */
export const keep = statement<
  Claim & { answer: string; now: Date },
  { answer: unknown; change: string }
>(
  'idempotency_keep',
  ({ userId, key, request, answer, now }) => sql`
    insert into idempotency_keys (user_id, key, request, answer, created_at)
    select id, ${key}, ${request}, ${answer}::jsonb, ${now} from users where id = ${userId}
    on conflict (user_id, key) do update set answer = coalesce(idempotency_keys.answer, excluded.answer)
      where idempotency_keys.request = excluded.request
    returning answer, xmin::text change`,
).first

/** Ends a server's claim of that time, unless it has an answer. */
export async function release(
  db: Db,
  { userId, key }: Key,
  { by, now }: { by: string; now: Date },
) {
  const { answer, claimedBy, createdAt } = idempotencyKeys
  const is = and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key))
  const claimed = and(is, isNull(answer), eq(claimedBy, by), eq(createdAt, now))
  await db.delete(idempotencyKeys).where(claimed)
}

export async function removeOlder(db: Db, before: Date) {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before))
}
