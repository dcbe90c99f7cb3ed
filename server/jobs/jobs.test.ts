// @module-tag slow
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { aDatabase, breakWaiting, hold, untilSomebodyWaits } from '../../tests/database.ts'
import { leaveOneTry } from '../../tests/jobs.ts'
import { aStarted, signUp } from '../../tests/start/a-server.ts'
import { aLog, aWorld, openWorld } from '../../tests/world.ts'
import { openLogger } from '../platform/log.ts'
import { newId } from '../platform/ids.ts'
import { billingJobs } from '../billing/jobs.ts'
import type { Jobs } from '../core/jobs.ts'

/** With this lock, jobs that send mail hang. */
const mails = 'lock table kept_mails in exclusive mode'

/** A server with a job that mails ann and hangs. */
async function aHeldMail() {
  const world = await aWorld()
  const letGo = await hold(world.pool, mails)
  await world.signUp('ann')
  await untilSomebodyWaits(world.pool)
  return { world, pool: world.pool, letGo }
}

/** Two servers on one database. A job that mails ann hangs, as if for eleven minutes already. */
async function aSlowJob() {
  const { world, pool, letGo } = await aHeldMail()
  const { connection } = world
  const other = await openWorld(connection)
  await pool.query(`update jobs set taken_at = now() - interval '11 minutes'`)
  const inWork = async () => (await pool.query('select attempts, server from jobs')).rows
  return { world, other, pool, database: connection.database, letGo, inWork }
}

test('no server takes over a slow job while the server that runs it is alive, so that no mail is sent twice', async () => {
  const { world, other, letGo, inWork } = await aSlowJob()
  const before = await inWork()
  expect(before).toMatchObject([{ attempts: 1 }])
  for (const { services } of [world, other]) await billingJobs.recoverPurchases({}, services)
  expect(await inWork()).toEqual(before)
  await letGo()
  await world.untilWorkedOff()
  expect(await world.mails('ann@example.com')).toHaveLength(1)
})

test('a server that loses the connection which proves that it is alive reconnects and keeps its jobs', async () => {
  const { world, other, pool, letGo, inWork } = await aSlowJob()
  const before = await inWork()
  const presence = `from pg_stat_activity where application_name = 'presence' and datname = current_database()`
  const { rows: cut } = await pool.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid, 10000) ${presence}`,
  )
  const held = `select from pg_locks where locktype = 'advisory' and granted and pid in (select pid ${presence})`
  while ((await pool.query(held)).rowCount !== cut.length) await delay(10)
  await billingJobs.recoverPurchases({}, other.services)
  expect(await inWork()).toEqual(before)
  await letGo()
  await world.untilWorkedOff()
})

test('a server that cannot restore the connection which proves that it is alive does not give up its own jobs', async () => {
  const { world, other, pool, database, letGo, inWork } = await aSlowJob()
  const before = await inWork()
  const atWork = [world, other].find(({ services }) => services.serverId === before[0].server)!
  await pool.query(`alter database ${database} connection limit 0`)
  await pool.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where application_name = 'presence' and datname = current_database()`)
  await billingJobs.recoverPurchases({}, atWork.services)
  await pool.query(`alter database ${database} connection limit -1`)
  expect(await inWork()).toEqual(before)
  await letGo()
  await world.untilWorkedOff()
})

test('a server that starts after another was killed runs the killed server’s jobs at once', async () => {
  const { connection, pool, url } = await aDatabase()
  const server = await aStarted({ env: { DATABASE_URL: url } })
  const letGo = await hold(pool, mails)
  await signUp(server)
  await untilSomebodyWaits(pool)
  server.child.kill('SIGKILL')
  await server.ended
  await breakWaiting(pool)
  await letGo()
  const world = await openWorld(connection)
  await world.untilWorkedOff()
  expect(await world.mails('ann@example.com')).toHaveLength(1)
})

test('a server goes on with its jobs after it lost the connection on which it took finished ones off the queue', async () => {
  const { world, pool, letGo } = await aHeldMail()
  const letQueueGo = await hold(pool, 'select from jobs for update')
  await letGo()
  await untilSomebodyWaits(pool, 'delete from jobs')
  await breakWaiting(pool, 'delete from jobs')
  await letQueueGo()
  await world.signUp('bob')
  await world.untilWorkedOff()
  for (const name of ['ann', 'bob'])
    expect(await world.mails(`${name}@example.com`)).toHaveLength(1)
})

test('a failed try of a job is a warning, and the last one an error that says what to do, both without the payload', async () => {
  const lines: string[] = []
  const world = await aWorld({}, openLogger('warn', { write: (line) => void lines.push(line) }))
  await world.pool.query('alter table kept_mails add check (subject is null)')
  await world.signUp('ann')
  while (lines.length === 0) await delay(10)
  const tried = JSON.parse(lines[0]!)
  expect(tried).toMatchObject({ level: 40, task: 'sendSealedMail', attempt: 1 })
  expect(tried.msg).toBe('a job failed, and is tried again')
  await leaveOneTry(world)
  while (lines.length === 1) await delay(10)
  const last = JSON.parse(lines[1]!)
  expect(last).toMatchObject({ level: 50, task: 'sendSealedMail', job: tried.job, attempt: 17 })
  expect(last.msg).toContain('npm run admin -- jobs')
  expect(lines.join('')).not.toMatch(/ann@example|oobCode/)
})

test('each run of a job is logged with its subscription', async () => {
  const { lines, log } = aLog('info')
  const world = await aWorld({}, log)
  const subscriptionId = newId()
  await world.services.jobs.add('updateContact', { subscriptionId })
  await world.untilWorkedOff()
  const runs = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a job')
  expect(runs).toMatchObject([{ task: 'updateContact', attempt: 1, subscription: subscriptionId }])
})

function mail(jobs: Jobs, to: string) {
  const values = { name: to, project: 'Bridge', subscriptionId: 'p' }
  const order = { mail: 'projectCanceled', to, language: 'en', values } as const
  return jobs.add('sendMail', order, { key: 'the mail' })
}

const unmail = (jobs: Jobs) => jobs.remove('the mail')
const mailAnn = (jobs: Jobs) => mail(jobs, 'ann')
const mailBen = (jobs: Jobs) => mail(jobs, 'ben')

test.each([
  ['added twice', [mailAnn, mailBen], ['ben']],
  ['added and removed', [mailAnn, unmail], []],
  ['removed and added', [unmail, mailBen], ['ben']],
  ['added, removed and added', [mailAnn, unmail, mailBen], ['ben']],
])('of a job with a key that is %s, the last change counts', async (_, changes, left) => {
  const world = await aWorld({ ROLE: 'web' })
  for (const change of changes) await change(world.services.jobs)
  const worker = await openWorld(world.connection)
  await worker.untilWorkedOff()
  expect(await mailed(world.pool)).toEqual(left)
})

test('a job that is replaced while it runs runs to its end, and the new one runs too', async () => {
  const { world, letGo } = await aHeldMail()
  await mailAnn(world.services.jobs)
  await untilRunning(world.pool, 2)
  await mailBen(world.services.jobs)
  await letGo()
  await world.untilWorkedOff()
  expect((await mailed(world.pool)).toSorted()).toEqual(['ann', 'ann@example.com', 'ben'])
})

test('a job that is removed while it runs is not tried again', async () => {
  const { world, pool, letGo } = await aHeldMail()
  await mailBen(world.services.jobs)
  await untilRunning(pool, 2)
  await unmail(world.services.jobs)
  await breakWaiting(pool, 'into kept_mails')
  await letGo()
  const left = `select from jobs where key is not null`
  expect((await pool.query(left)).rowCount).toBe(0)
  while ((await mailed(pool)).length === 0) await delay(10)
  expect(await mailed(pool)).toEqual(['ann@example.com'])
})

async function mailed(pool: pg.Pool) {
  const { rows } = await pool.query<{ to: string }>('select "to" from kept_mails order by id')
  return rows.map(({ to }) => to)
}

async function untilRunning(pool: pg.Pool, count: number) {
  const running = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike '%into kept_mails%'`
  while ((await pool.query(running)).rowCount !== count) await delay(10)
}
