// @module-tag slow
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { aDatabase, breakWaiting, hold, untilSomebodyWaits } from '../../tests/database.ts'
import { aStarted, signUp } from '../../tests/start/a-server.ts'
import { aTab } from '../../tests/tab.ts'
import { aLog, aProject, aWorld, inParallel, openWorld } from '../../tests/world.ts'
import { openJobs, type Jobs } from '../core/jobs.ts'
import { openLogger } from '../platform/log.ts'
import { openSecrets } from '../platform/secrets.ts'
import { openDatabase } from '../sql/database.ts'
import { openRelay } from './relay.ts'

/** Keeps every server from handing on, until the result is called. */
async function holdRelays(pool: pg.Pool) {
  return hold(pool, `select pg_advisory_xact_lock(hashtext('atrium outbox'))`)
}

/** Makes the server that hands on a job wait in the middle of it, until the result is called. */
async function holdQueue(pool: pg.Pool) {
  return hold(pool, 'lock table graphile_worker._private_jobs in exclusive mode')
}

/** The jobs of a database on which no server works, and a relay without a worker. */
async function aQueue() {
  const { pool, connection, stop } = await aWorld()
  await stop()

  async function handOn() {
    const relay = openRelay(pool, pino({ level: 'silent' }))
    relay.start()
    while ((await pool.query('select from outbox')).rowCount) await delay(10)
    await relay.stop()
  }

  /** The people who are mailed by a server that starts now. */
  async function mailed() {
    const world = await openWorld(connection)
    await world.untilWorkedOff()
    const { rows } = await pool.query<{ to: string }>('select "to" from kept_mails order by id')
    return rows.map(({ to }) => to)
  }

  return { jobs: openJobs(openDatabase(pool), openSecrets([])), handOn, mailed }
}

function mail(jobs: Jobs, to: string) {
  const values = { name: to, project: 'Bridge', subscriptionId: 'p' }
  const order = { mail: 'projectCanceled', to, language: 'en', values } as const
  return jobs.add('sendMail', order, { key: 'the mail' })
}

const unmail = (jobs: Jobs) => jobs.remove('the mail')

test('what a transaction that is rolled back wanted done is not done', async () => {
  const { world, id, owner } = await aProject()
  const tab = await aTab(world, owner)
  const failed = world.services.transaction(async ({ jobs, store }) => {
    await mail(jobs, 'ann@example.com')
    await store.subscriptions.setSettings({
      id,
      settings: { name: 'Bridge' },
      by: owner.uid,
      now: new Date(),
    })
    throw new Error('it fails')
  })
  await expect(failed).rejects.toThrow('it fails')
  await world.untilWorkedOff()
  expect(await world.mails('ann@example.com')).toEqual([])
  expect(await tab.heard()).toEqual({ subscriptions: [], what: [] })
})

const steps = {
  'added twice': [(jobs: Jobs) => mail(jobs, 'ann'), (jobs: Jobs) => mail(jobs, 'ben')],
  'added and removed': [(jobs: Jobs) => mail(jobs, 'ann'), unmail],
  'removed and added': [unmail, (jobs: Jobs) => mail(jobs, 'ben')],
  'added, removed and added': [
    (jobs: Jobs) => mail(jobs, 'ann'),
    unmail,
    (jobs: Jobs) => mail(jobs, 'ben'),
  ],
}

for (const [what, changes] of Object.entries(steps)) {
  const left = what.endsWith('removed') ? [] : ['ben']

  test(`of a job with a key that is ${what}, the last change counts when all are handed on at once`, async () => {
    const { jobs, mailed } = await aQueue()
    for (const change of changes) await change(jobs)
    expect(await mailed()).toEqual(left)
  })

  test(`of a job with a key that is ${what}, the last change counts when each is handed on alone`, async () => {
    const { jobs, handOn, mailed } = await aQueue()
    for (const change of changes) {
      await change(jobs)
      await handOn()
    }
    expect(await mailed()).toEqual(left)
  })
}

test('a change made by hand in SQL reaches open tabs', async () => {
  const { world, id, owner } = await aProject()
  const tab = await aTab(world, owner)
  await world.pool.query(`update subscriptions set settings = '{"name":"Bridge"}' where id = $1`, [
    id,
  ])
  expect(await tab.heard()).toEqual({ subscriptions: [id], what: ['subscription'] })
})

test('two servers hand on each entry once, and all in the order in which they came', async () => {
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

test('a server that is killed before it hands on a mail, or while it does so, loses no mail and sends none twice', async () => {
  const { pool, connection, url } = await aDatabase()
  const begin = () => aStarted({ env: { DATABASE_URL: url } })
  const kill = async ({ child, ended }: Awaited<ReturnType<typeof begin>>) => {
    child.kill('SIGKILL')
    await ended
  }
  const first = await begin()
  const letRelaysGo = await holdRelays(pool)
  await signUp(first)
  await kill(first)
  const second = await begin()
  const letQueueGo = await holdQueue(pool)
  await letRelaysGo()
  await untilSomebodyWaits(pool, 'add_jobs')
  await kill(second)
  await letQueueGo()
  const world = await openWorld(connection)
  await world.untilWorkedOff()
  expect(await world.mails('ann@example.com')).toHaveLength(1)
})

test('a relay that loses its connection hands everything on once it has another', async () => {
  const { lines, log } = aLog('warn')
  const world = await aWorld({}, log)
  const { pool } = world
  const letGo = await holdQueue(pool)
  await inParallel(3, (index) => world.signUp(`ann${index}`))
  await untilSomebodyWaits(pool, 'add_jobs')
  await breakWaiting(pool, 'add_jobs')
  while (lines.length === 0) await delay(10)
  await letGo()
  await world.untilWorkedOff()
  for (const index of [0, 1, 2])
    expect(await world.mails(`ann${index}@example.com`)).toHaveLength(1)
})

test('what a server leaves in the outbox when it stops is handed on by another one', async () => {
  const world = await aWorld()
  const other = await openWorld(world.connection)
  const letGo = await holdRelays(world.pool)
  await world.signUp('ann')
  await world.stop()
  await letGo()
  await other.untilWorkedOff()
  expect(await other.mails('ann@example.com')).toHaveLength(1)
})

test('an entry that can not be handed on is logged without its payload, and tried again', async () => {
  const lines: string[] = []
  const world = await aWorld({}, openLogger('warn', { write: (line) => void lines.push(line) }))
  await world.pool.query(
    'alter table graphile_worker._private_jobs add constraint broken check (false) not valid',
  )
  await world.signUp('ann')
  while (lines.length < 2) await delay(10)
  await world.pool.query('alter table graphile_worker._private_jobs drop constraint broken')
  await world.untilWorkedOff()
  expect(await world.mails('ann@example.com')).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'the outbox could not be handed on' })
  expect(lines.join('')).not.toMatch(/ann@example|oobCode/)
})
