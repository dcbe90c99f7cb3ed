import type { Db } from '../sql/database.ts'
import { first, value } from '../sql/statement.ts'

// Equal notices of several changes are one. It names them while it is shorter than the 8000 bytes
// that PostgreSQL passes on.
/**
 * Tells the listening servers the oldest notices. Returns how many there were. No other server takes
 * any meanwhile, so that the notices of a subscription are told in the order of its changes.
 */
export function tell(db: Db, limit: number) {
  return value<number>(db, 'outbox_tell')`
    with turn as materialized (
      select pg_try_advisory_xact_lock(hashtext('atrium outbox')) is_ours
    ), entry as (
      delete from outbox where id = any(array(
        select id from outbox, turn where turn.is_ours and kind = 'notice' order by id limit ${limit}))
      returning *, xmin::text change
    ), told as (
      select pg_notify('live', (payload || jsonb_build_object('changes', changes))::text)
      from (
        select payload::jsonb payload, case when count(*) <= 400 then jsonb_agg(distinct change) end changes
        from entry group by payload::jsonb order by min(id)
      ) notice
    )
    select count(*) from entry where (select count(*) from told) >= 0`
}

/** The id of the transaction, if it has changed something: its notices have this id. */
export async function findChange(db: Db) {
  const change = await value<string | null>(db, 'outbox_find_change')`
    select pg_current_xact_id_if_assigned()::xid::text`
  return change ?? undefined
}

/** How many notices wait, up to 10000, and the id of the oldest. */
export async function countWaiting(db: Db) {
  return (await first<{ count: number; oldest: number | null }>(db, 'outbox_waiting')`
    select count(*), min(id) oldest from (select id from outbox order by id limit 10000) oldest`)!
}
