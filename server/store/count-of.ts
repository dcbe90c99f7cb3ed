import { sql, type SQL } from 'drizzle-orm'

/** `expire` is in milliseconds since 1970. */
export type Count = { key: string; points: number; expire: number }

/**
 * Counts one try for each row of `tries`: a key, and the milliseconds until its count begins anew.
 * Several rows are in the order of their keys, so that two statements never deadlock.
 */
export function countOf(tries: SQL, now: SQL) {
  return sql`
    insert into rate_limits as kept (key, points, expire)
    select key, 1, ${now}::bigint + within from (${tries}) tries (key, within)
    on conflict (key) do update set
      points = case when kept.expire <= ${now}::bigint then 1 else kept.points + 1 end,
      expire = case when kept.expire <= ${now}::bigint then excluded.expire else kept.expire end
    returning key, points, expire`
}
