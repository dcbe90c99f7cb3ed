import { sql } from 'drizzle-orm'
import { clock, countOf, type Count } from './count-of.ts'
import type { Db } from '../sql/database.ts'
import { all, prepared, run } from '../sql/statement.ts'

/** A key, and the milliseconds after which its count begins anew. */
export type Limited = { key: string; within: number }

/** Counts one try under each key. Returns the counts in the order of the keys. */
export function count(db: Db, { keys, withins }: { keys: string[]; withins: number[] }) {
  const [all, times] = [sql.param(keys), sql.param(withins)]
  const tries = sql`select * from unnest(${all}::text[], ${times}::bigint[]) order by 1`
  return prepared<Count>(
    db,
    'rate_limits_count',
    sql`
      with counted as (${countOf(tries)})
      select counted.* from unnest(${all}::text[]) with ordinality tried (key, place)
        join counted using (key) order by place`,
  )
}

/**
 * Takes back one try of each key. In a new time window there is nothing to take back. Locks rows in
 * the order of their keys, as counting does, so that two statements never deadlock.
 */
export function takeBack(db: Db, { keys }: { keys: string[] }) {
  return run(db, 'rate_limits_take_back')`
    with locked as materialized (
      select key from rate_limits where key = any(${keys}::text[]) order by key for update
    )
    update rate_limits set points = points - 1
    where key in (select key from locked) and points > 0 and expire > ${clock}`
}

/** Lets the time of a count begin anew, if it has at least so many points. */
export function prolong(db: Db, { key, within, points }: Limited & { points: number }) {
  return run(db, 'rate_limits_prolong')`
    update rate_limits set expire = ${clock} + ${within}::bigint
    where key = ${key} and points >= ${points}::integer`
}

export function reset(db: Db, { keys }: { keys: string[] }) {
  return run(db, 'rate_limits_reset')`
    delete from rate_limits where key = any(${keys}::text[])`
}

/** Whose tries a key counts is its first word after the limit's name. */
const isOf = (whose: string[]) =>
  sql`split_part(split_part(key, ':', 2), ' ', 1) = any(${sql.param(whose)}::text[])`

/** What is counted of accounts. For operators: it looks at all counts. */
export function listOf(db: Db, { whose }: { whose: string[] }) {
  return all<Count>(db, 'rate_limits_of')`
    select key, points, expire from rate_limits where ${isOf(whose)} and expire > ${clock} order by key`
}

/** Forgets what is counted of accounts, and returns it. */
export function forgetOf(db: Db, { whose }: { whose: string[] }) {
  return all<{ key: string }>(db, 'rate_limits_forget_of')`
    delete from rate_limits where ${isOf(whose)} returning key`
}

export function removeExpired(db: Db) {
  return run(db, 'rate_limits_remove_expired')`delete from rate_limits where expire <= ${clock}`
}
