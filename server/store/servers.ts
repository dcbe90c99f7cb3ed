import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { all, first, run, value, values } from '../sql/statement.ts'
import { addingJob } from './adding-job.ts'
import { isChangingPlan, isEnding, type AboutServer, type servers } from './schema.ts'

// A server holds an advisory lock under its id on a connection of its own. The lock ends with the
// connection, so a free lock shows that the server is dead. Its row shows that it may hold something.

/** Takes this server's lock for its connection. False while another connection has it or tests it. */
export async function register(db: Db, id: string, about: AboutServer) {
  const isTaken = await value<boolean>(db, 'server_lock')`
    select pg_try_advisory_lock(${lockOf(sql`${id}`)})`
  if (!isTaken) return false
  await run(db, 'server_add')`
    insert into servers (id, about) values (${id}, ${JSON.stringify(about)}::jsonb) on conflict do nothing`
  return true
}

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

/** The servers that don't hold their locks: they are dead, or have lost their connections. */
export function listSilent(db: Db, { asker }: { asker: string }) {
  return values<string>(db, 'servers_silent')`
    select id from servers where id <> ${asker} and ${hasDied(sql`id`)}`
}

/**
 * Frees what a server holds: its billing leases, idempotency claims and jobs. What it has begun at
 * the provider becomes a job. Does nothing while another server does it, or if that server lives.
 */
export async function takeOver(db: Db, id: string) {
  const job = {
    task: sql`'recoverPurchase'`,
    key: sql`'recover ' || lease.id`,
    payload: sql`json_build_object('subscriptionId', lease.id)`,
  }
  return first<{ leases: number; jobs: number }>(db, 'server_take_over')`
    with dead as materialized (
      delete from servers where id = ${id} and ${hasDied(sql`id`)} returning id
    ), lease as (
      update subscriptions set billing_lease_until = null, billing_lease_by = null
      where billing_lease_by = ${id} and exists (select from dead)
      returning id, status = 'incomplete' or ${isChangingPlan} or ${isEnding} is_begun
    ), recovery as (
      ${addingJob(job, sql`from lease where is_begun`)}
    ), freed as (
      update jobs set server = null, taken_at = null
      where server = (select id from dead)
        and (key is null or key <> all (select 'recover ' || id from lease where is_begun))
      returning jobs.id
    )
    select (select count(*) from lease) leases, (select count(*) from freed) jobs from dead`
}

/** Takes the dead server's lock, so that it can't come back before the transaction ends. */
function hasDied(id: SQL) {
  return sql`pg_try_advisory_xact_lock(${lockOf(id)})`
}

function lockOf(id: SQL) {
  return sql`hashtextextended('server ' || ${id}, 0)`
}
