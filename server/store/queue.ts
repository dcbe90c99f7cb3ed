import { sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { all, first, prepared, run, some, values } from '../sql/statement.ts'
import { addingJob, type NewJob } from './adding-job.ts'
import { countOf } from './count-of.ts'
import type { Limited } from './rate-limits.ts'
import { maxAttempts } from './schema.ts'

export async function add(db: Db, job: NewJob) {
  await prepared(db, 'queue_add', addingJob(job))
}

type Within = { job: NewJob; tries: number } & Limited

/** Counts a try under a rate limit's key, and adds the job if no more than `tries` were counted. */
export function addWithin(db: Db, { job, tries, key, within }: Within) {
  return run(db, 'queue_add_within')`
    with counted as (${countOf(sql`select ${key}, ${within}::bigint`)})
    ${addingJob(job, sql`from counted where points <= ${tries}`)}`
}

/** Removes a job. If a server runs it, it runs to its end, and is not tried again. */
export function remove(db: Db, key: string) {
  return run(db, 'queue_remove')`delete from jobs where key = ${key}`
}

/** `nextAt` is null when no tries are left. */
type Tries = { attempts: number; nextAt: string | null }

/** The tries of the unfinished job with this key. */
export function findTries(db: Db, key: string) {
  return first<Tries>(db, 'queue_tries')`
    select attempts, run_at "nextAt" from jobs where key = ${key}`
}

/** Whether a job runs, or is due and has not failed yet. One may be added meanwhile. */
export async function isBusy(db: Db) {
  return some(db, 'queue_is_busy')`
    select from jobs where last_error is null and (server is not null or run_at <= clock_timestamp()) limit 1`
}

/** A job that a server has taken from the queue: nobody else takes it before it is over. */
export type TakenJob = { id: string; task: string; payload: unknown; attempts: number }

type Taking = { server: string; tasks: string[]; limit: number }

/** Takes the oldest jobs of these tasks that are due. */
export function take(db: Db, { server, tasks, limit }: Taking) {
  return all<TakenJob>(db, 'queue_take')`
    with due as (
      select id from jobs where server is null and run_at <= now() and task = any(${tasks}::text[])
      order by run_at, id limit ${limit} for update skip locked
    ), taken as (
      update jobs set attempts = attempts + 1, server = ${server}, taken_at = now()
      from due where jobs.id = due.id returning jobs.*
    )
    select id::text, task, payload, attempts from taken order by run_at, id`
}

/** `error`: why the job failed. It is tried again later and later, until no tries are left. */
export type Over = { id: string; error?: string }

/** Takes what a server has done off the queue, and puts back what failed. */
export function end(db: Db, server: string, over: Over[]) {
  const done = over.filter(({ error }) => error === undefined).map(({ id }) => id)
  const failed = over.filter(({ error }) => error !== undefined)
  return run(db, 'queue_end')`
    with failed as (
      update jobs set last_error = over.error, server = null, taken_at = null, run_at =
        case when attempts < ${maxAttempts}::int then now() + exp(least(attempts, 10)) * interval '1 second' end
      from json_to_recordset(${JSON.stringify(failed)}::json) over (id bigint, error text)
      where jobs.id = over.id and server = ${server}
    )
    delete from jobs where id = any(${done}::bigint[]) and server = ${server}`
}

/**
 * Frees the jobs that a server has taken without knowing, because the answer was lost with a
 * connection, and those of servers that are gone. Returns how many there were.
 */
export async function free(db: Db, server: string, known: string[]) {
  const freed = await all(db, 'queue_free')`
    update jobs set server = null, taken_at = null
    where server is not null and case when server = ${server} then id <> all(${known}::bigint[])
      else not exists (select from servers where servers.id = jobs.server) end
    returning id`
  return freed.length
}

/** `retrying` and `failed` have failed; `failed` has no tries left. */
export type JobState = 'waiting' | 'running' | 'retrying' | 'failed'
export type JobCount = { task: string; state: JobState; count: number; oldestSeconds: number }

const state = sql`case
  when server is not null then 'running'
  when run_at is null then 'failed'
  when last_error is not null then 'retrying'
  else 'waiting' end`

/** Counting more would take longer than the answer is worth. */
const most = sql.raw('100000')

/** The jobs by task and state, and since when the oldest of them is in that state, or was added. */
export async function countJobs(db: Db) {
  return all<JobCount>(db, 'queue_count')`
    select task, state, count(*) count,
      greatest(extract(epoch from clock_timestamp() - min(since)), 0)::float8 "oldestSeconds"
    from (
      select task, ${state} state, case
        when server is not null then taken_at when last_error is null then run_at else created_at end since
      from (select * from jobs limit ${most}) any_job
    ) job group by task, state`
}

/** A job of the queue. Its payload may hold secrets, such as the code of a mailed link. */
export type QueuedJob = {
  id: string
  task: string
  state: JobState
  attempts: number
  /** Null when no tries are left. */
  runAt: Date | null
  createdAt: Date
  /** The server that runs it. */
  server: string | null
  error: string | null
  key: string | null
  payload: Record<string, unknown>
}

const queued = sql`
  select id::text, task, ${state} state, attempts, run_at "runAt", created_at "createdAt", server,
    last_error error, key, payload
  from jobs`

type Wanted = {
  state?: JobState | undefined
  /** A value in the payload: an address, or the id of a project, person or event. */
  about?: string[]
  limit: number
}

/** Jobs of the queue, the oldest first. */
export async function list(db: Db, { state, about, limit }: Wanted) {
  return all<QueuedJob>(db, 'queue_list')`
    select * from (${queued}) jobs
    where (${state}::text is null or state = ${state}) and (${about}::text[] is null
      or exists (select from json_each_text(payload) where value = any(${about}::text[])))
    order by "createdAt", id::bigint limit ${limit}`
}

export async function find(db: Db, id: string) {
  return first<QueuedJob>(db, 'queue_find')`select * from (${queued}) jobs where id = ${id}`
}

/** Lets jobs run again at once, with all their tries. Returns those that no server runs now. */
export function retry(db: Db, ids: string[]) {
  return values<string>(db, 'queue_retry')`
    update jobs set attempts = 0, run_at = now()
    where id = any(${ids}::bigint[]) and server is null returning id::text`
}

/** Takes jobs off the queue. Returns those that no server runs now. */
export function drop(db: Db, ids: string[]) {
  return values<string>(db, 'queue_drop')`
    delete from jobs where id = any(${ids}::bigint[]) and server is null returning id::text`
}

export type Unsealed = { id: string; payload: unknown }

/** Orders of mails that a former version has put there with their codes, some at a time. */
export function listUnsealed(db: Db) {
  return all<Unsealed>(db, 'queue_unsealed')`
    select id::text, payload from jobs
    where task = 'sendMail' and payload #> '{values,code}' is not null limit 1000`
}

/** Replaces their payloads. A job that a server runs meanwhile runs to its end. */
export function replaceUnsealed(db: Db, sealed: Unsealed[]) {
  return run(db, 'queue_replace_unsealed')`
    update jobs set task = 'sendSealedMail', payload = sealed.payload
    from json_to_recordset(${JSON.stringify(sealed)}) as sealed (id bigint, payload json)
    where jobs.id = sealed.id and task = 'sendMail'`
}

/** Removes all orders with sealed codes. Returns how many there were. */
export async function removeSealed(db: Db) {
  const removed = await all(db, 'queue_remove_sealed')`
    delete from jobs where task = 'sendSealedMail' returning id`
  return removed.length
}

/**
 * Moves what waits in the queue of version 1.0.0 to this one, once no server of that version is left,
 * which would go on with it. Such servers don't say which tables they know.
 */
export async function moveFormer(db: Db) {
  const isFormer = await some(db, 'queue_has_former')`
    select from pg_class where oid = to_regclass('graphile_worker._private_jobs')
      and not exists (select from servers where about ->> 'schema' is null)`
  if (!isFormer) return
  await run(db, 'queue_move_former_jobs')`
    with former as (
      delete from graphile_worker._private_jobs job using graphile_worker._private_tasks task where task.id = job.task_id
      returning identifier task, key, payload, attempts, last_error, job.created_at,
        case when attempts < max_attempts then run_at end run_at
    )
    insert into jobs (task, key, payload, attempts, last_error, created_at, run_at)
    select task, key, payload, attempts, last_error, created_at, run_at from former on conflict (key) do nothing`
  await run(db, 'queue_move_former_outbox')`
    with entry as (delete from outbox where kind <> 'notice' returning *),
    newest as (select distinct on (coalesce(job_key, id::text)) * from entry order by coalesce(job_key, id::text), id desc),
    removed as (delete from jobs where key in (select job_key from newest where kind = 'jobRemoval'))
    insert into jobs (task, key, payload) select task, job_key, payload from newest where kind = 'job'
    on conflict (key) do nothing`
}
