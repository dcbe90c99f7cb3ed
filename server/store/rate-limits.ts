import { sql, type SQL } from 'drizzle-orm'
import { countOf, type Count } from './count-of.ts'
import type { Db } from '../sql/database.ts'
import { statement } from '../sql/statement.ts'

/** A key, and the milliseconds after which its count begins anew. */
export type Limited = { key: string; within: number }

const counted = statement<{ keys: string[]; withins: number[]; now: number }, Count>(
  'rate_limits_count',
  ({ keys, withins, now }) =>
    countOf(sql`select * from unnest(${keys}::text[], ${withins}::bigint[]) order by 1`, now),
)

/** Counts one try under each key. Returns the counts in the order of the keys. */
export async function count(db: Db, limited: Limited[]) {
  const keys = limited.map(({ key }) => key)
  const withins = limited.map(({ within }) => within)
  const found = await counted.all(db, { keys, withins, now: Date.now() })
  return keys.map((key) => found.find((count) => count.key === key)!)
}

/** Locks rows in the order of their keys, as counting does, so that two statements never deadlock. */
const lockedIn = (keys: SQL) => sql`
  locked as materialized (select key from rate_limits where key = any(${keys}) order by key for update)`

const takenBackFrom = (keys: SQL, now: SQL) => sql`
  update rate_limits set points = points - 1
  where key in (select key from locked where key = any(${keys}::text[])) and points > 0 and expire > ${now}::bigint`

const taken = statement<{ keys: string[]; now: number }>(
  'rate_limits_take_back',
  ({ keys, now }) => sql`with ${lockedIn(sql`${keys}::text[]`)} ${takenBackFrom(keys, now)}`,
)

/** Takes back one try of each key. In a new time window there is nothing to take back. */
export async function takeBack(db: Db, keys: string[]) {
  await taken.send(db, { keys, now: Date.now() })
}

const prolonged = statement<{ key: string; points: number; expire: number }>(
  'rate_limits_prolong',
  ({ key, points, expire }) => sql`
    update rate_limits set expire = ${expire}::bigint
    where key = ${key} and points >= ${points}::integer`,
)

/** Lets the time of a count begin anew, if it has at least so many points. */
export async function prolong(db: Db, { key, within }: Limited, points: number) {
  await prolonged.send(db, { key, points, expire: Date.now() + within })
}

type Settlement = { forgotten: string[]; takenBack: string[]; counted: Limited }

const settled = statement<Omit<Settlement, 'counted'> & Limited & { now: number }, Count>(
  'rate_limits_settle',
  ({ forgotten, takenBack, key, within, now }) => sql`
    with ${lockedIn(sql`(${forgotten}::text[] || ${takenBack}::text[])`)},
    forgotten as (
      delete from rate_limits where key in (select key from locked where key = any(${forgotten}::text[]))
    ), taken_back as (${takenBackFrom(takenBack, now)})
    ${countOf(sql`select ${key}, ${within}::bigint`, now)}`,
)

/** Forgets all tries of some keys, takes back one try of others, and counts one try. */
export async function settle(db: Db, { counted, ...others }: Settlement) {
  return (await settled.first(db, { ...others, ...counted, now: Date.now() }))!
}

export const reset = statement<{ keys: string[] }>(
  'rate_limits_reset',
  ({ keys }) => sql`delete from rate_limits where key = any(${keys}::text[])`,
).send

/** Whose tries a key counts is its first word after the limit's name. */
const isOf = (whose: SQL) =>
  sql`split_part(split_part(key, ':', 2), ' ', 1) = any(${whose}::text[])`

const listed = statement<{ whose: string[]; now: number }, Count>(
  'rate_limits_of',
  ({ whose, now }) => sql`
    select key, points, expire from rate_limits where ${isOf(whose)} and expire > ${now}::bigint order by key`,
)

/** What is counted of accounts. For operators: it looks at all counts. */
export async function listOf(db: Db, whose: string[]) {
  return listed.all(db, { whose, now: Date.now() })
}

const forgotten = statement<{ whose: string[] }, { key: string }>(
  'rate_limits_forget_of',
  ({ whose }) => sql`delete from rate_limits where ${isOf(whose)} returning key`,
)

/** Forgets what is counted of accounts, and returns how many counts that were. */
export async function forgetOf(db: Db, whose: string[]) {
  return (await forgotten.all(db, { whose })).length
}

const expired = statement<{ now: number }>(
  'rate_limits_remove_expired',
  ({ now }) => sql`delete from rate_limits where expire <= ${now}::bigint`,
)

export async function removeExpired(db: Db) {
  await expired.send(db, { now: Date.now() })
}
