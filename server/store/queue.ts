import { sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { all } from '../sql/statement.ts'

/** `retrying` and `failed` have failed; `failed` has no tries left. */
export type JobState = 'waiting' | 'running' | 'retrying' | 'failed'
export type JobCount = { task: string; state: JobState; count: number; oldestSeconds: number }

/** Of a row of `graphile_worker.jobs`. */
const stateOfJob = sql`case
  when locked_at is not null then 'running'
  when attempts >= max_attempts then 'failed'
  when last_error is not null then 'retrying'
  else 'waiting' end`

/** Counting more would take longer than the answer is worth. */
const most = sql.raw('100000')

/** The jobs by task and state, and since when the oldest of them is in that state, or was added. */
export async function countJobs(db: Db) {
  return all<JobCount>(db, 'queue_count_jobs')`
    select task, state, count(*) count,
      greatest(extract(epoch from clock_timestamp() - min(since)), 0)::float8 "oldestSeconds"
    from (
      select task_identifier task, ${stateOfJob} state, case
        when locked_at is not null then locked_at
        when last_error is null then run_at
        else created_at end since
      from (select * from graphile_worker.jobs limit ${most}) any_job
    ) job group by task, state`
}

/** A job of the queue. Its payload may hold secrets, such as the code of a mailed link. */
export type QueuedJob = {
  id: string
  task: string
  state: JobState
  attempts: number
  maxAttempts: number
  runAt: Date
  createdAt: Date
  /** The server that runs it. */
  server: string | null
  error: string | null
  key: string | null
  payload: Record<string, unknown>
}

const queued = sql`
  select job.id::text, identifier task, ${stateOfJob} state, attempts, max_attempts "maxAttempts", run_at "runAt",
    job.created_at "createdAt", locked_by server, last_error error, key, payload
  from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = task_id`

type Wanted = {
  state?: JobState | undefined
  /** A value in the payload: an address, or the id of a project, person or event. */
  about?: string[]
  limit: number
}

/** Jobs of the queue, the oldest first. */
export async function list(db: Db, { state, about, limit }: Wanted) {
  const { rows } = await db.execute<QueuedJob>(sql`
    select * from (${queued}) jobs
    where (${state ?? null}::text is null or state = ${state ?? null})
      and (${about ? sql.param(about) : null}::text[] is null
        or exists (select from json_each_text(payload) where value = any(${about ? sql.param(about) : null}::text[])))
    order by "createdAt", id::bigint limit ${limit}`)
  return rows.map(withDates)
}

export async function find(db: Db, id: string) {
  const { rows } = await db.execute<QueuedJob>(sql`select * from (${queued}) jobs where id = ${id}`)
  return rows.map(withDates).at(0)
}

/** Lets jobs run again at once, with all their tries. Returns those that no server runs now. */
export async function retry(db: Db, ids: string[]) {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id::text from graphile_worker.reschedule_jobs(${sql.param(ids)}::bigint[], run_at => now(), attempts => 0)`)
  await db.execute(sql`select pg_notify('jobs:insert', '{"r":"","count":1}')`)
  return rows.map(({ id }) => id)
}

/** Takes jobs off the queue. Returns those that no server runs now. */
export async function drop(db: Db, ids: string[]) {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id::text from graphile_worker.complete_jobs(${sql.param(ids)}::bigint[])`,
  )
  return rows.map(({ id }) => id)
}

export type Unsealed = { place: 'outbox' | 'queue'; id: string; payload: unknown }

const withCode = sql`payload #> '{values,code}' is not null`
const taskCalled = (name: string) =>
  sql`(select id from graphile_worker._private_tasks where identifier = ${name})`

/** Orders of mails that a former version has put there with their codes, some at a time. */
export async function listUnsealed(db: Db) {
  const { rows } = await db.execute<Unsealed>(sql`
    select 'outbox' place, id::text, payload from outbox where task = 'sendMail' and ${withCode}
    union all
    select 'queue', id::text, payload from graphile_worker._private_jobs
    where task_id = ${taskCalled('sendMail')} and ${withCode} limit 1000`)
  return rows
}

/** Replaces their payloads. A job that a server runs meanwhile runs to its end. */
export async function replaceUnsealed(db: Db, sealed: Unsealed[]) {
  const rows = sql`json_to_recordset(${JSON.stringify(sealed)}) as sealed (place text, id bigint, payload json)`
  await db.execute(sql`
    update outbox set task = 'sendSealedMail', payload = sealed.payload
    from ${rows} where sealed.place = 'outbox' and outbox.id = sealed.id`)
  await db.execute(
    sql`insert into graphile_worker._private_tasks (identifier) values ('sendSealedMail') on conflict do nothing`,
  )
  await db.execute(sql`
    update graphile_worker._private_jobs job
    set task_id = ${taskCalled('sendSealedMail')}, payload = sealed.payload
    from ${rows} where sealed.place = 'queue' and job.id = sealed.id and task_id = ${taskCalled('sendMail')}`)
}

/** Removes all orders with sealed codes. Returns how many there were. */
export async function removeSealed(db: Db) {
  const waited = await db.execute(sql`delete from outbox where task = 'sendSealedMail'`)
  const queued = await db.execute(sql`
    delete from graphile_worker._private_jobs where task_id = ${taskCalled('sendSealedMail')}`)
  return waited.rowCount! + queued.rowCount!
}

function withDates({ runAt, createdAt, ...job }: QueuedJob) {
  return { ...job, runAt: new Date(runAt), createdAt: new Date(createdAt) }
}
