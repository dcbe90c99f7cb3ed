import { sql, type SQL } from 'drizzle-orm'
import { clock, countOf, type Count } from './count-of.ts'
import { statement } from '../sql/statement.ts'

/** A key, and the milliseconds after which its count begins anew. */
export type Limited = { key: string; within: number }

/** Counts one try under each key. Returns the counts in the order of the keys. */
export const count = statement<{ keys: string[]; withins: number[] }, Count>(
  'rate_limits_count',
  ({ keys, withins }) => sql`
    with counted as (
      ${countOf(sql`select * from unnest(${keys}::text[], ${withins}::bigint[]) order by 1`)}
    )
    select counted.* from unnest(${keys}::text[]) with ordinality tried (key, place)
      join counted using (key) order by place`,
).all

/**
 * Takes back one try of each key. In a new time window there is nothing to take back. Locks rows in
 * the order of their keys, as counting does, so that two statements never deadlock.
 */
export const takeBack = statement<{ keys: string[] }>(
  'rate_limits_take_back',
  ({ keys }) => sql`
    with locked as materialized (
      select key from rate_limits where key = any(${keys}::text[]) order by key for update
    )
    update rate_limits set points = points - 1
    where key in (select key from locked) and points > 0 and expire > ${clock}`,
).send

/** Lets the time of a count begin anew, if it has at least so many points. */
export const prolong = statement<Limited & { points: number }>(
  'rate_limits_prolong',
  ({ key, within, points }) => sql`
    update rate_limits set expire = ${clock} + ${within}::bigint
    where key = ${key} and points >= ${points}::integer`,
).send

export const reset = statement<{ keys: string[] }>(
  'rate_limits_reset',
  ({ keys }) => sql`delete from rate_limits where key = any(${keys}::text[])`,
).send

/** Whose tries a key counts is its first word after the limit's name. */
const isOf = (whose: SQL) =>
  sql`split_part(split_part(key, ':', 2), ' ', 1) = any(${whose}::text[])`

/** What is counted of accounts. For operators: it looks at all counts. */
export const listOf = statement<{ whose: string[] }, Count>(
  'rate_limits_of',
  ({ whose }) => sql`
    select key, points, expire from rate_limits where ${isOf(whose)} and expire > ${clock} order by key`,
).all

/** Forgets what is counted of accounts, and returns it. */
export const forgetOf = statement<{ whose: string[] }, { key: string }>(
  'rate_limits_forget_of',
  ({ whose }) => sql`delete from rate_limits where ${isOf(whose)} returning key`,
).all

export const removeExpired = statement<Record<string, never>>(
  'rate_limits_remove_expired',
  () => sql`delete from rate_limits where expire <= ${clock}`,
).send
