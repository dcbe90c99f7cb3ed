import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { holdNotices } from '../../tests/database.ts'
import { aTab } from '../../tests/tab.ts'
import { aLog, aProject, aWorld, openWorld } from '../../tests/world.ts'

test('what a transaction that is rolled back wanted done is not done', async () => {
  const { world, id, owner } = await aProject()
  const tab = await aTab(world, owner)
  // What the new project has told.
  await tab.heard()
  const settings = { id, settings: { name: 'Bridge' }, by: owner.uid, now: new Date() }
  const values = { name: 'Ann', project: 'Bridge', subscriptionId: id }
  const mail = { mail: 'projectCanceled', to: 'ann@example.com', language: 'en', values } as const
  const failed = world.services.transaction(async ({ jobs, store }) => {
    await jobs.add('sendMail', mail)
    await store.subscriptions.setSettings(settings)
    throw new Error('it fails')
  })
  await expect(failed).rejects.toThrow('it fails')
  await world.untilWorkedOff()
  expect(await world.mails('ann@example.com')).toEqual([])
  expect(await tab.heard()).toEqual({ subscriptions: [], what: [] })
})

test('a change made by hand in SQL reaches open tabs', async () => {
  const { world, id, owner } = await aProject()
  const tab = await aTab(world, owner)
  await world.pool.query(`update subscriptions set settings = '{"name":"Bridge"}' where id = $1`, [
    id,
  ])
  expect(await tab.heard()).toEqual({ subscriptions: [id], what: ['subscription'] })
})

test('two servers tell each notice once, and all in the order in which they came', async () => {
  const { pool, connection } = await aWorld()
  await openWorld(connection)
  const heard: string[] = []
  const listener = await pool.connect()
  listener.on('notification', ({ payload }) => heard.push(JSON.parse(payload!).subscription))
  await listener.query('listen live')
  const told = Array.from({ length: 1500 }, (_, index) => `p${index}`)
  for (const subscription of told)
    await pool.query(`insert into outbox (kind, payload) values ('notice', $1)`, [
      { what: 'subscription', subscription },
    ])
  while (!heard.includes(told.at(-1)!)) await delay(10)
  listener.release(true)
  expect(heard).toEqual(told)
})

test('a notice that a server leaves behind when it stops is told by another one', async () => {
  const { world, id, owner } = await aProject()
  const other = await openWorld(world.connection)
  const tab = await aTab(other, owner)
  const letGo = await holdNotices(world.pool)
  await owner.renames(id, 'Bridge')
  await world.stop()
  await letGo()
  expect(await tab.change()).toMatchObject({ subscriptions: [id] })
})

test('while notices can not be told, the log says so, and they are told afterwards', async () => {
  const { lines, log } = aLog('warn')
  const world = await aWorld({}, log)
  const { id, owner } = await world.aProject()
  const tab = await aTab(world, owner)
  await world.pool.query('alter table outbox rename to away')
  while (lines.length === 0) await delay(10)
  await world.pool.query('alter table away rename to outbox')
  await owner.renames(id, 'Bridge')
  expect(await tab.heard()).toMatchObject({ subscriptions: [id] })
  expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'notices could not be told' })
})
