import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { maxAttempts } from '../server/store/schema.ts'

/** Waits until a failed job is back in the queue. Its next try, which is due now, is its last. */
export async function leaveOneTry({ pool }: { pool: pg.Pool }) {
  const tried = `update jobs
    set attempts = ${maxAttempts - 1}, run_at = now() where taken_at is null and last_error is not null`
  while ((await pool.query(tried)).rowCount === 0) await delay(10)
}

/** No mail leaves, as if the mail server were away, until the result is called. */
export async function holdMails({ pool }: { pool: pg.Pool }) {
  await pool.query('alter table kept_mails add constraint away check (subject is null) not valid')
  return async () => {
    // A try under way may have been written before what the test did meanwhile. It fails first.
    while ((await pool.query('select from jobs where taken_at is not null')).rowCount !== 0)
      await delay(10)
    await pool.query('alter table kept_mails drop constraint away')
    await pool.query('update jobs set run_at = now()')
    while ((await pool.query('select from jobs')).rowCount !== 0) await delay(10)
  }
}
