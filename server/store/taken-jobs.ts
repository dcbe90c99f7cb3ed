import { sql } from 'drizzle-orm'
import type { Db } from '../sql/database.ts'
import { statement } from '../sql/statement.ts'

/** A job that a server has taken from the queue: nobody else takes it before it is over. */
export type TakenJob = {
  id: string
  task: string
  payload: unknown
  attempts: number
  maxAttempts: number
}

const taken = statement<{ server: string; tasks: string[]; limit: number }, TakenJob>(
  'jobs_take',
  ({ server, tasks, limit }) => sql`
    with due as (
      select id from graphile_worker._private_jobs
      where is_available and run_at <= now() and task_id = any(array(
        select id from graphile_worker._private_tasks where identifier = any(${tasks}::text[])))
      order by priority, run_at limit ${limit} for update skip locked
    ), taken as (
      update graphile_worker._private_jobs job
      set attempts = attempts + 1, locked_by = ${server}, locked_at = now()
      from due where job.id = due.id returning job.*
    )
    select taken.id::text, identifier task, payload, attempts, max_attempts "maxAttempts"
    from taken join graphile_worker._private_tasks task on task.id = task_id
    order by priority, run_at`,
)

/** Takes the oldest jobs of these tasks that are due. */
export async function take(db: Db, asked: { server: string; tasks: string[]; limit: number }) {
  return taken.all(db, asked)
}

/** `error`: why the job failed. It is tried again later and later, until no tries are left. */
export type Over = { id: string; error?: string }

const ended = statement<{ server: string; done: string[]; failed: string }>(
  'jobs_end',
  ({ server, done, failed }) => sql`
    with failed as (
      update graphile_worker._private_jobs job
      set last_error = over.error, locked_by = null, locked_at = null,
        run_at = greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second'
      from json_to_recordset(${failed}::json) over (id bigint, error text)
      where job.id = over.id and locked_by = ${server}
    )
    delete from graphile_worker._private_jobs where id = any(${done}::bigint[]) and locked_by = ${server}`,
)

/** Takes what a server has done off the queue, and puts back what failed. */
export async function end(db: Db, server: string, over: Over[]) {
  const done = over.filter(({ error }) => error === undefined).map(({ id }) => id)
  const failed = JSON.stringify(over.filter(({ error }) => error !== undefined))
  await ended.all(db, { server, done, failed })
}

const lost = statement<{ server: string; known: string[] }, { id: string }>(
  'jobs_free_lost',
  ({ server, known }) => sql`
    update graphile_worker._private_jobs set locked_by = null, locked_at = null
    where locked_by = ${server} and id <> all(${known}::bigint[]) returning id::text`,
)

/**
 * Frees the jobs that a server has taken without knowing, because the answer was lost with a
 * connection. Returns how many there were.
 */
export async function freeLost(db: Db, server: string, known: string[]) {
  return (await lost.all(db, { server, known })).length
}
