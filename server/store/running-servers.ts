import { sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { all } from '../sql/statement.ts'
import type { servers } from './schema.ts'
import { lockOf } from './servers.ts'

type RunningServer = typeof servers.$inferSelect & { isAlive: boolean }

/** All servers, and whether they live. It looks at their locks without taking them. */
export function list(db: Db) {
  return all<RunningServer>(db, 'running_servers')`
    select id, started_at "startedAt", about, exists (
      select from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and locktype = 'advisory' and objsubid = 1 and granted
        and (classid::bigint << 32 | objid::bigint) = ${lockOf(sql`servers.id`)}
    ) "isAlive" from servers order by started_at`
}
