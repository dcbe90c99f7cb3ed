import type { SubscriptionId } from '../platform/ids.ts'
import type { Db } from '../sql/database.ts'
import { run, some, value } from '../sql/statement.ts'

// Each `by` is a keyed hash: see server/core/once.ts.

/** Whether one of `by` has used it, or is about to. */
export function has(db: Db, what: string, by: readonly string[], { settled = false } = {}) {
  return some(db, 'used_once_has')`
    select from used_once
    where what = ${what} and by = any(${by}::text[]) and settled >= ${settled} limit 1`
}

type Use = { what: string; by: readonly string[]; subscriptionId: SubscriptionId; now: Date }

/** Takes it for a purchase or a change. False if others have a part of `by`: roll back then. */
export async function take(db: Db, { what, by, subscriptionId, now }: Use) {
  await run(db, 'used_once_take')`
    insert into used_once (what, by, subscription_id, used_at)
    select ${what}, by, ${subscriptionId}, ${now} from unnest(${by}::text[]) by on conflict do nothing`
  const taken = await value<number>(db, 'used_once_taken')`
    select count(*) from used_once
    where what = ${what} and by = any(${by}::text[]) and subscription_id = ${subscriptionId} and not settled`
  return taken === by.length
}

/** The purchase or the change has succeeded. */
export function settle(db: Db, subscriptionId: SubscriptionId) {
  return run(db, 'used_once_settle')`
    update used_once set settled = true where subscription_id = ${subscriptionId} and not settled`
}

/** The purchase or the change was undone, so that it can be used again. */
export function release(db: Db, subscriptionId: SubscriptionId) {
  return run(db, 'used_once_release')`
    delete from used_once where subscription_id = ${subscriptionId} and not settled`
}

/** Keeps a deleted account's uses under the hash of its address for a while. */
export function keep(db: Db, { by, as, until }: { by: string; as: string; until: Date }) {
  return run(db, 'used_once_keep')`
    with former as (delete from used_once where by = ${by} returning what, subscription_id, settled, used_at)
    insert into used_once (what, by, subscription_id, settled, used_at, kept_until)
    select what, ${as}, subscription_id, settled, used_at, ${until} from former on conflict do nothing`
}

export function removeKept(db: Db, { now }: { now: Date }) {
  return run(db, 'used_once_remove_kept')`delete from used_once where kept_until <= ${now}`
}
