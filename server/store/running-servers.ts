import { sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { servers } from './schema.ts'
import { lockOf } from './servers.ts'

/** All servers, and whether they hold their locks. It looks at the locks without taking them. */
export async function list(db: Db) {
  const isHeld = sql<boolean>`exists (
    select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
      and (classid::bigint << 32 | objid::bigint) = ${lockOf(sql`${servers.id}`)})`
  return db
    .select({ id: servers.id, startedAt: servers.startedAt, about: servers.about, isHeld })
    .from(servers)
    .orderBy(servers.startedAt)
}
