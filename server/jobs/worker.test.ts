// @module-tag slow
import { engineLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aDatabase, breakWaiting, hold, untilSomebodyWaits } from '../../tests/database.ts'
import { aDatabaseProxy } from '../../tests/database-proxy.ts'
import { openWorld } from '../../tests/world.ts'

const values = { name: 'Ann', project: 'Bridge', subscriptionId: 'p' }

test('jobs that a server has taken without getting the answer are done by it some seconds later', async () => {
  const { connection, pool } = await aDatabase()
  const proxy = await aDatabaseProxy(connection)
  const world = await openWorld(proxy.connection)
  // Once the server has done a job, it asks for more again and again.
  await world.services.jobs.add('removeExpired', {})
  await world.untilWorkedOff()
  const queue = await pool.connect()
  await queue.query('begin; lock table jobs')
  await queue.query(`insert into jobs (task, payload) values ('sendMail', $1)`, [
    { mail: 'projectCanceled', to: 'ann@example.com', language: 'en', values },
  ])
  await untilSomebodyWaits(pool, 'skip locked')
  proxy.cut()
  await queue.query('commit')
  queue.release()
  const taken = 'select from jobs where server is not null'
  while (!(await pool.query(taken)).rowCount) await delay(10)
  proxy.restore()

  const done = 'select from kept_mails'
  while (!(await pool.query(done)).rowCount) await delay(10)
  await world.untilWorkedOff()
  expect((await pool.query(done)).rowCount).toBe(1)
})

test('when all connections break while jobs run and wait for a place, each is done once', async () => {
  const { connection, pool } = await aDatabase()
  const proxy = await aDatabaseProxy(connection)
  const world = await openWorld(proxy.connection)
  const letMailsGo = await hold(pool, 'lock table kept_mails')
  const { atOnce, ahead } = engineLimits.jobs
  const mails = atOnce + ahead + 1
  await world.services.transaction(async ({ jobs }) => {
    for (let mail = 0; mail < mails; mail++)
      await jobs.add('sendMail', {
        mail: 'projectCanceled',
        to: `${mail}@example.com`,
        language: 'en',
        values,
      })
  })
  await untilSomebodyWaits(pool, 'into kept_mails')
  proxy.cut()
  await breakWaiting(pool, 'into kept_mails')
  await letMailsGo()
  proxy.restore()

  const sent = 'select from kept_mails'
  while ((await pool.query(sent)).rowCount! < mails) await delay(10)
  await world.untilWorkedOff()
  expect((await pool.query(sent)).rowCount).toBe(mails)
})
