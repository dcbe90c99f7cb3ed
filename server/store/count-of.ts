import { sql, type SQL } from 'drizzle-orm'

/** `expire` is in milliseconds since 1970. */
export type Count = { key: string; points: number; expire: number }

export const clock = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * Counts one try for each row of `tries`: a key, and the milliseconds until its count begins anew.
 * Several rows are in the order of their keys, so that two statements never deadlock.
 */
export function countOf(tries: SQL) {
  return sql`
    insert into rate_limits as kept (key, points, expire)
    select key, 1, ${clock} + within from (${tries}) tries (key, within)
    on conflict (key) do update set
      points = case when kept.expire <= ${clock} then 1 else kept.points + 1 end,
      expire = case when kept.expire <= ${clock} then excluded.expire else kept.expire end
    returning key, points, expire`
}
