import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { aDatabaseProxy } from '../../tests/database-proxy.ts'
import { aLog, aWorld, openWorld } from '../../tests/world.ts'

/** Locks a table until the result is called. */
async function hold(pool: pg.Pool, table: string) {
  const client = await pool.connect()
  await client.query(`begin; lock table ${table}`)
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

const values = { name: 'Ann', project: 'Bridge', subscriptionId: 'p' }

const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~* $1`

/** Waits until this many sessions wait for a lock with a query like this one. */
async function untilWaiting(pool: pg.Pool, query: string, count = 1) {
  while ((await pool.query(`select ${waiting}`, [query])).rowCount !== count) await delay(10)
}

async function breakWaiting(pool: pg.Pool, query: string) {
  await pool.query(`select pg_terminate_backend(pid) ${waiting}`, [query])
}

test('a server goes on with its jobs when connections break that were taking several jobs off the queue', async () => {
  const { lines, log } = aLog('error')
  const world = await aWorld({}, log)
  const { pool } = world
  const { jobs } = world.services
  const mailTo = (to: string) =>
    jobs.add('sendMail', { mail: 'projectCanceled', to, language: 'en', values })

  // Three jobs are in progress.
  const letUsersGo = await hold(pool, 'users')
  const letSessionsGo = await hold(pool, 'sessions')
  const letMailsGo = await hold(pool, 'kept_mails')
  await jobs.add('mailPasswordReset', { email: 'nobody@example.com' })
  await jobs.add('removeExpired', {})
  await mailTo('ann@example.com')
  await untilWaiting(pool, 'from users')
  await untilWaiting(pool, 'delete from "sessions"')
  await untilWaiting(pool, 'into kept_mails')

  // Two of them end, one after the other, and can't be taken off the queue.
  const leaving = 'delete from .*_private_jobs'
  const letQueueGo = await hold(pool, 'graphile_worker._private_jobs')
  await letUsersGo()
  await untilWaiting(pool, leaving)
  await letSessionsGo()
  await untilWaiting(pool, leaving, 2)
  await breakWaiting(pool, leaving)
  while (lines.filter((line) => line.includes('Failed to complete jobs')).length < 2)
    await delay(10)
  await letQueueGo()

  // The third fails.
  await breakWaiting(pool, 'into kept_mails')
  await letMailsGo()

  await mailTo('ben@example.com')
  await world.untilWorkedOff()
  expect(await world.mails('ben@example.com')).toHaveLength(1)
})

test('jobs that a server has taken without getting the answer are done by it some seconds later', async () => {
  const { connection, pool } = await aDatabase()
  const proxy = await aDatabaseProxy(connection)
  const world = await openWorld(proxy.connection)
  const queue = await pool.connect()
  await queue.query('begin; lock table graphile_worker._private_jobs')
  await queue.query(`select graphile_worker.add_job('sendMail', $1)`, [
    { mail: 'projectCanceled', to: 'ann@example.com', language: 'en', values },
  ])
  await untilWaiting(pool, 'locked_by')
  proxy.cut()
  await queue.query('commit')
  queue.release()
  const taken = 'select from graphile_worker.jobs where locked_by is not null'
  while (!(await pool.query(taken)).rowCount) await delay(10)
  proxy.restore()

  const done = 'select from kept_mails'
  while (!(await pool.query(done)).rowCount) await delay(10)
  await world.untilWorkedOff()
  expect((await pool.query(done)).rowCount).toBe(1)
})
