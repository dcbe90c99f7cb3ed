// @module-tag slow
import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aDatabase, breakWaiting, hold, untilSomebodyWaits } from '../../tests/database.ts'
import { aDatabaseProxy } from '../../tests/database-proxy.ts'
import { aLog, aWorld, openWorld } from '../../tests/world.ts'

const values = { name: 'Ann', project: 'Bridge', subscriptionId: 'p' }

test('a server goes on with its jobs when connections break that were taking several jobs off the queue', async () => {
  const { lines, log } = aLog('error')
  const world = await aWorld({}, log)
  const { pool } = world
  const { jobs } = world.services
  const mailTo = (to: string) =>
    jobs.add('sendMail', { mail: 'projectCanceled', to, language: 'en', values })

  // Three jobs are in progress.
  const letUsersGo = await hold(pool, 'lock table users')
  const letSessionsGo = await hold(pool, 'lock table sessions')
  const letMailsGo = await hold(pool, 'lock table kept_mails')
  await jobs.add('mailPasswordReset', { email: 'nobody@example.com' })
  await jobs.add('removeExpired', {})
  await mailTo('ann@example.com')
  await untilSomebodyWaits(pool, 'from users')
  await untilSomebodyWaits(pool, 'delete from "sessions"')
  await untilSomebodyWaits(pool, 'into kept_mails')

  // Two of them end, one after the other, and can't be taken off the queue.
  const leaving = 'delete from .*_private_jobs'
  const letQueueGo = await hold(pool, 'lock table graphile_worker._private_jobs')
  await letUsersGo()
  await untilSomebodyWaits(pool, leaving)
  await letSessionsGo()
  await untilSomebodyWaits(pool, leaving, 2)
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
  // Once the server has done a job, it asks for more again and again.
  await world.services.jobs.add('removeExpired', {})
  await world.untilWorkedOff()
  const queue = await pool.connect()
  await queue.query('begin; lock table graphile_worker._private_jobs')
  await queue.query(`select graphile_worker.add_job('sendMail', $1)`, [
    { mail: 'projectCanceled', to: 'ann@example.com', language: 'en', values },
  ])
  await untilSomebodyWaits(pool, 'skip locked')
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

test('a server goes on when all connections break while jobs that it has taken wait for their turn', async () => {
  const { lines, log } = aLog('error')
  const { connection, pool } = await aDatabase()
  const proxy = await aDatabaseProxy(connection)
  const world = await openWorld(proxy.connection, {}, log)
  const letMailsGo = await hold(pool, 'lock table kept_mails')
  const { taken } = limits.jobs
  await world.services.transaction(async ({ jobs }) => {
    for (let mail = 0; mail < taken; mail++)
      await jobs.add('sendMail', {
        mail: 'projectCanceled',
        to: `${mail}@example.com`,
        language: 'en',
        values,
      })
  })
  await untilSomebodyWaits(pool, 'into kept_mails')
  proxy.cut()
  await letMailsGo()
  while (!lines.some((line) => line.includes('Failed to return jobs'))) await delay(10)
  proxy.restore()

  const sent = 'select from kept_mails'
  while ((await pool.query(sent)).rowCount! < taken) await delay(10)
  await world.untilWorkedOff()
  expect((await pool.query(sent)).rowCount).toBe(taken)
})
