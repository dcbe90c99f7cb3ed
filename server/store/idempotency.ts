import type { Db } from '../sql/database.ts'
import { idempotencyKeys } from './schema.ts'
import { columns, first, run } from '../sql/statement.ts'

export type Key = { userId: string; key: string }
/** A key with the hash of its request. */
export type Claim = Key & { request: string }
type Claiming = Claim & { by: string; now: Date; leftBefore: Date }

/** An advisory lock, because a row would lock the user's row before any subscription's. */
export function lock(db: Db, { userId, key }: Key) {
  return run(db, 'idempotency_lock')`
    select pg_advisory_xact_lock(hashtextextended('idempotency key ' || ${userId} || ' ' || ${key}, 0))`
}

/** Claims a key for a request of a server, also one whose claim is old or whose server is dead. */
export function claim(db: Db, { userId, key, request, by, now, leftBefore }: Claiming) {
  return first<Key>(db, 'idempotency_claim')`
    insert into idempotency_keys (user_id, key, request, claimed_by, created_at)
    values (${userId}, ${key}, ${request}, ${by}, ${now})
    on conflict (user_id, key) do update set claimed_by = excluded.claimed_by, created_at = excluded.created_at
      where idempotency_keys.answer is null and idempotency_keys.request = excluded.request
        and (idempotency_keys.created_at <= ${leftBefore}
          or not exists (select from servers where id = idempotency_keys.claimed_by))
    returning user_id "userId", key`
}

export function find(db: Db, { userId, key }: Key) {
  return first<typeof idempotencyKeys.$inferSelect>(db, 'idempotency_find')`
    select ${columns(idempotencyKeys)} from idempotency_keys where user_id = ${userId} and key = ${key}`
}

type Answered = Claim & { answer: string; now: Date }

/**
 * Returns the answer kept first, with the transaction that kept this one. Keeps none for a deleted
 * account or under another's claim. `answer` is JSON.
 */
export function keep(db: Db, { userId, key, request, answer, now }: Answered) {
  return first<{ answer: unknown; change: string }>(db, 'idempotency_keep')`
    insert into idempotency_keys (user_id, key, request, answer, created_at)
    select id, ${key}, ${request}, ${answer}::jsonb, ${now} from users where id = ${userId}
    on conflict (user_id, key) do update set answer = coalesce(idempotency_keys.answer, excluded.answer)
      where idempotency_keys.request = excluded.request
    returning answer, xmin::text change`
}

/** Ends a server's claim of that time, unless it has an answer. */
export function release(db: Db, { userId, key }: Key, { by, now }: { by: string; now: Date }) {
  return run(db, 'idempotency_release')`
    delete from idempotency_keys
    where user_id = ${userId} and key = ${key} and answer is null and claimed_by = ${by} and created_at = ${now}`
}

export function removeOlder(db: Db, before: Date) {
  return run(db, 'idempotency_remove_older')`
    delete from idempotency_keys where created_at < ${before}`
}
