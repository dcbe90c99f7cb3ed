import { sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { servers } from './schema.ts'
import { lockOf } from './servers.ts'

/** All servers, and whether they live. It looks at their locks without taking them. */
export async function list(db: Db) {
  const isAlive = sql<boolean>`exists (
    select from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'advisory' and objsubid = 1 and granted
      and (classid::bigint << 32 | objid::bigint) = ${lockOf(sql`${servers.id}`)})`
  return db
    .select({ id: servers.id, startedAt: servers.startedAt, about: servers.about, isAlive })
    .from(servers)
    .orderBy(servers.startedAt)
}
