import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { countOf } from './count-of.ts'
import type { Limited } from './rate-limits.ts'
import { first, prepared, run } from '../sql/statement.ts'

export type NewJob = { task: string; jobKey: string | null; payload: string }

export async function addJob(db: Db, job: NewJob) {
  await prepared(db, 'outbox_add_job', addingJob(job))
}

/** Adds the job once for each row of `from`. */
export function addingJob(job: NewJob | Record<keyof NewJob, SQL>, from: SQL = sql``) {
  const { task, jobKey, payload } = job
  return sql`insert into outbox (kind, task, job_key, payload) select 'job', ${task}, ${jobKey}, ${payload}::json ${from}`
}

/** Counts a try under a rate limit's key, and adds the job if no more than `tries` were counted. */
type Within = NewJob & Limited & { tries: number }

export function addJobWithin(db: Db, { key, within, tries, ...job }: Within) {
  return run(db, 'outbox_add_job_within')`
    with counted as (${countOf(sql`select ${key}, ${within}::bigint`)})
    ${addingJob(job, sql`from counted where points <= ${tries}`)}`
}

export function addJobRemoval(db: Db, { jobKey }: { jobKey: string }) {
  return run(db, 'outbox_add_job_removal')`
    insert into outbox (kind, job_key) values ('jobRemoval', ${jobKey})`
}

type HandedOn = { limit: number; maxAttempts: number }

// Equal notices of several changes are one. It names them while it is shorter than the 8000 bytes
// that PostgreSQL passes on. Of several entries with one key, only the last one counts. The queue
// begins jobs in the order of their times, so those added together differ in theirs.
/**
 * Adds the oldest entries' jobs to the queue, removes others from it and tells the listening
 * servers the notices. Returns how many entries there were. No other server takes any meanwhile, so
 * that the entries of a subscription are handed on in the order of its changes.
 */
export async function handOn(db: Db, { limit, maxAttempts }: HandedOn) {
  const row = await first<{ count: number }>(db, 'outbox_hand_on')`
    with turn as materialized (
      select pg_try_advisory_xact_lock(hashtext('atrium outbox')) is_ours
    ), entry as (
      delete from outbox where id = any(array(select id from outbox, turn where turn.is_ours order by id limit ${limit}))
      returning *, xmin::text change
    ), change as (
      select distinct on (job_key, case when job_key is null then id end) *
      from entry where kind <> 'notice' order by job_key, case when job_key is null then id end, id desc
    ), added as (
      select from (
        select array_agg(row(task, payload, null, now() + place * interval '1 microsecond',
          ${maxAttempts}::int, job_key, null, null)::graphile_worker.job_spec order by id) specs
        from (select *, row_number() over (order by id) place from change where kind = 'job') job
      ) jobs, graphile_worker.add_jobs(specs) where specs is not null
    ), removed as (
      select graphile_worker.remove_job(job_key) from change where kind = 'jobRemoval'
    ), told as (
      select pg_notify('live', (payload || jsonb_build_object('changes', changes))::text)
      from (
        select payload::jsonb payload, case when count(*) <= 400 then jsonb_agg(distinct change) end changes
        from entry where kind = 'notice' group by payload::jsonb order by min(id)
      ) notice
    )
    select count(*) from entry
    where (select count(*) from added) + (select count(*) from removed) + (select count(*) from told) >= 0`
  return row!.count
}

/** How many entries wait, up to 10000, and the id of the oldest. */
export async function countWaiting(db: Db) {
  return (await first<{ count: number; oldest: number | null }>(db, 'outbox_waiting')`
    select count(*), min(id) oldest from (select id from outbox order by id limit 10000) oldest`)!
}
