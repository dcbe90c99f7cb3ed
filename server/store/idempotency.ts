import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { idempotencyKeys, type BegunChange } from './schema.ts'
import { columns, statement } from '../sql/statement.ts'

export type Key = { userId: string; key: string }

/** No server has this id. */
const nobody = ''

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

type Claiming = Claim & { by: string; now: Date; leftBefore: Date }

const claimed = statement<Claiming, { begun: BegunChange | null }>(
  'idempotency_claim',
  ({ userId, key, request, by, now, leftBefore }) => sql`
    insert into idempotency_keys (user_id, key, request, claimed_by, created_at)
    values (${userId}, ${key}, ${request}, ${by}, ${now})
    on conflict (user_id, key) do update set claimed_by = excluded.claimed_by, created_at = excluded.created_at
      where idempotency_keys.answer is null and idempotency_keys.request = excluded.request and case
        when idempotency_keys.claimed_by is null then idempotency_keys.created_at < ${leftBefore}
        else idempotency_keys.claimed_by <> excluded.claimed_by
          and not exists (select from servers where id = idempotency_keys.claimed_by)
      end
    returning begun`,
)

/**
 * Claims a key for a request, also one that a dead server left. A claim of a version that did not
 * note its server is left if it is older than `leftBefore`.
 * Of several callers at once, exactly one gets the claim, with what an earlier one has begun.
 */
export const claim = claimed.first

/** Keeps what the request now does, which a repeated request needs to know if the server dies. */
export const begin = statement<Key & { begun: string }>(
  'idempotency_begin',
  ({ userId, key, begun }) => sql`
    update idempotency_keys set begun = ${begun}::jsonb where user_id = ${userId} and key = ${key}`,
).send

export const find = statement<Key, typeof idempotencyKeys.$inferSelect>(
  'idempotency_find',
  ({ userId, key }) => sql`
    select ${columns(idempotencyKeys)} from idempotency_keys where user_id = ${userId} and key = ${key}`,
).first

const kept = statement<Claim & { answer: string; now: Date }, { answer: unknown; change: string }>(
  'idempotency_keep',
  ({ userId, key, request, answer, now }) => sql`
    insert into idempotency_keys (user_id, key, request, answer, created_at)
    select id, ${key}, ${request}, ${answer}::jsonb, ${now} from users where id = ${userId}
    on conflict (user_id, key) do update set answer = coalesce(idempotency_keys.answer, excluded.answer)
      where idempotency_keys.request = excluded.request
    returning answer, xmin::text change`,
)

/**
 * Returns the answer kept first, with the transaction that kept this one. Keeps none for a deleted
 * account or under another's claim.
 */
export function keep(db: Db, claim: Claim, answer: unknown, now: Date) {
  return kept.first(db, { ...claim, answer: JSON.stringify(answer), now })
}

/**
 * Ends a server's claim of that time if it has no answer. It stays, for anybody to take, if
 * something was begun.
 */
export async function release(db: Db, key: Key, { by, now }: { by: string; now: Date }) {
  const { answer, claimedBy, createdAt } = idempotencyKeys
  const unanswered = and(is(key), isNull(answer), eq(claimedBy, by), eq(createdAt, now))
  await db.delete(idempotencyKeys).where(and(unanswered, isNull(idempotencyKeys.begun)))
  await db.update(idempotencyKeys).set({ claimedBy: nobody }).where(unanswered)
}

export async function removeOlder(db: Db, before: Date) {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before))
}
