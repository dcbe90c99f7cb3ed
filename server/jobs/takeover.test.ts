// @module-tag slow
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { aDatabase, hold, untilSomebodyWaits } from '../../tests/database.ts'
import { aDatabaseProxy } from '../../tests/database-proxy.ts'
import { aStarted, signUp, type Server } from '../../tests/start/a-server.ts'
import { aLog, aWorld, openWorld, reasonOf, secretKey, webhookSecret } from '../../tests/world.ts'

const plan = 'changeSubscriptionPlan'
const headers = { 'idempotency-key': 'the-key' }

/** A server, and another one on its database that runs as a process. */
async function twoServers() {
  const world = await aWorld()
  const secrets = { STRIPE_WEBHOOK_SECRET: webhookSecret, SECRET_KEY: secretKey }
  const begin = () => aStarted({ env: { DATABASE_URL: world.url, ...secrets } })
  return { world, pool: world.pool, begin, other: await begin() }
}

async function kill({ child, ended }: Server) {
  child.kill('SIGKILL')
  await ended
}

async function stop({ child, ended }: Server) {
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
}

const ends = { 'is killed': kill, stops: stop }

for (const [how, end] of Object.entries(ends)) {
  test(`a plan change on a server that ${how} is made once, and a repeated call says so`, async () => {
    const { world, pool, other } = await twoServers()
    const owner = await world.aPerson('owner')
    const { subscriptionId } = await owner.buys()
    const change = { subscriptionId, planId: 'enterprise' }
    const letGo = await hold(pool, 'lock table sandbox.objects in exclusive mode')
    const lost = other.call(plan, change, { token: owner.token, headers }).catch(() => undefined)
    await untilSomebodyWaits(pool)
    await Promise.all([end(other), how === 'stops' && untilOthersHaveLeft(pool).then(letGo)])
    if (how === 'is killed') await letGo()
    await lost

    const again = await owner.call(plan, change, headers)
    // The job of another server may have finished the change before the person repeats it.
    expect(['samePlan', undefined]).toContain(again.error && reasonOf(again))
    expect((await owner.project(subscriptionId)).plan_id).toBe('enterprise')
    expect(await owner.invoices(subscriptionId)).toHaveLength(2)
  })
}

/** Waits until only one server has anything. */
async function untilOthersHaveLeft(pool: pg.Pool) {
  while ((await pool.query('select from servers')).rowCount !== 1) await delay(20)
}

for (const [how, end] of Object.entries(ends))
  test(`mails that a server is sending when it ${how} are sent once by one that runs`, async () => {
    const { world, pool, other } = await twoServers()
    const letGo = await hold(pool, 'lock table kept_mails in exclusive mode')
    const addresses: string[] = []
    const atWork = `select from jobs where server <> $1`
    while (!(await pool.query(atWork, [world.services.serverId])).rowCount) {
      const { user } = (await world.signUp(`ann${addresses.length}`)).result!
      addresses.push(user.email)
      await delay(50)
    }
    await end(other)
    await letGo()
    await untilOthersHaveLeft(pool)
    await world.untilWorkedOff()
    for (const address of addresses) expect(await world.mails(address)).toHaveLength(1)
  })

test('a server that loses its connections for a moment keeps what it holds', async () => {
  const { world, pool, other } = await twoServers()
  const before = await serversIn(pool)
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'presence' and datname = current_database()`)
  while ((await locksIn(pool)) !== before.length) await delay(20)
  await signUp(other)
  await world.untilWorkedOff()
  expect(await serversIn(pool)).toEqual(before)
})

test('servers whose database vanishes without a word have new connections before they count as dead', async () => {
  const { connection, pool } = await aDatabase()
  const proxy = await aDatabaseProxy(connection)
  const { lines, log } = aLog('warn')
  const servers = [
    await openWorld(proxy.connection, {}, log),
    await openWorld(proxy.connection, {}, log),
  ]
  const before = await serversIn(pool)
  expect(before).toHaveLength(2)
  proxy.vanish()
  while ((await locksIn(pool)) > 0) await delay(20)
  while ((await locksIn(pool)) < 2) await delay(20)
  for (const server of servers)
    while ((await server.request('/readyz')).status !== 200) await delay(20)
  expect(await serversIn(pool)).toEqual(before)
  expect(lines.join('')).not.toContain('a server has died')
  // The servers need not wait for their forgotten connections when they stop.
  proxy.cut()
  proxy.restore()
})

async function serversIn(pool: pg.Pool) {
  return (await pool.query('select id from servers order by id')).rows
}

/** How many connections show that their server lives. */
async function locksIn(pool: pg.Pool) {
  const held = `select from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and application_name = 'presence' and datname = current_database()`
  return (await pool.query(held)).rowCount!
}
