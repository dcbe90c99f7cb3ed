import { sql, type SQL } from 'drizzle-orm'

export type NewJob = { task: string; key: string | null; payload: string }

/**
 * Adds the job once for each row of `from`. It replaces a job with its key. If a server runs that
 * one, it runs to its end, and leaves the new one alone, because that has another id.
 */
export function addingJob(job: NewJob | Record<keyof NewJob, SQL>, from: SQL = sql``) {
  const { task, key, payload } = job
  return sql`
    insert into jobs (task, key, payload) select ${task}, ${key}, ${payload}::json ${from}
    on conflict (key) do update set id = default, task = excluded.task, payload = excluded.payload, attempts = 0,
      run_at = excluded.run_at, last_error = null, created_at = excluded.created_at, server = null, taken_at = null`
}
