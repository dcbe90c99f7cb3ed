import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { billingJobs } from '../../server/billing/jobs.ts'
import { reconcile } from '../../server/billing/reconcile.ts'
import { readBooks } from './books.ts'
import { whatIsWrong } from './rules.ts'
import type { Stage } from './stage.ts'

const minutes = 60_000

/** Ends all faults, runs all jobs, and then compares our books with the provider's. */
export async function comeToRest(stage: Stage) {
  const { world, pool, problems } = stage
  await world.control({ reset: true })
  // After six minutes `recoverPurchases` takes up every unfinished purchase.
  stage.pass(6 * minutes)
  await pool.query('delete from rate_limits')
  await untilAtRest(pool)
  problems.length = 0
  await billingJobs.recoverPurchases({}, world.services)
  await reconcile(world.services)
  await untilAtRest(pool)
  await stage.look()
  const wrong = [
    ...whatIsWrong(await readBooks(pool)),
    ...problems.map((line) => `the server says: ${line}`),
  ]
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}

/** Waits until every webhook has come and every job is done. */
export async function untilAtRest(pool: pg.Pool, providersPool = pool) {
  const isOnItsWay = async () =>
    (
      await providersPool.query(
        'select from sandbox.deliveries where next_attempt_at is not null limit 1',
      )
    ).rowCount
  do {
    while (await isOnItsWay()) await delay(10)
    await untilEveryJobIsDone(pool)
  } while (await isOnItsWay())
}

/** Waits until every job is done, and retries failed jobs at once. */
async function untilEveryJobIsDone(pool: pg.Pool) {
  for (let tries = 0; tries < 5; tries++) {
    await pool.query(
      `update jobs set run_at = now(), attempts = 0, last_error = null where server is null`,
    )
    while (await anyJob(pool, 'last_error is null or server is not null')) await delay(10)
    if (!(await anyJob(pool, 'true'))) return
  }
  const { rows } = await pool.query<{ task: string; error: string }>(
    'select task, last_error as error from jobs',
  )
  throw new Error(`jobs fail: ${JSON.stringify(rows)}`)
}

/** Whether there is such a job in the queue. */
async function anyJob(pool: pg.Pool, which: string) {
  return (await pool.query(`select from jobs where ${which} limit 1`)).rowCount
}
