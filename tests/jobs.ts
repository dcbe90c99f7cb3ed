import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

/** Waits until a failed job is back in the queue. Its next try, which is due now, is its last. */
export async function leaveOneTry({ pool }: { pool: pg.Pool }) {
  const tried = `update graphile_worker._private_jobs
    set attempts = max_attempts - 1, run_at = now() where locked_at is null and last_error is not null`
  while ((await pool.query(tried)).rowCount === 0) await delay(10)
}
