import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { aDatabaseProxy } from '../../tests/database-proxy.ts'
import { aDatabase, hold, untilSomebodyWaits } from '../../tests/database.ts'
import { openWorld } from '../../tests/world.ts'
import { withBillingLease } from '../billing/lease.ts'
import { after } from '../platform/time.ts'

// PostgreSQL carries out a statement that it has begun, also if the connection for the answer is gone.
test.each([
  { what: 'key', statement: 'into idempotency_keys', lock: 'lock table idempotency_keys' },
  {
    what: 'project',
    statement: 'set billing_lease',
    lock: 'select from subscriptions for update',
  },
])(
  'a $what that a server has taken without getting the answer is free for the request that is repeated a minute later',
  async ({ statement, lock }) => {
    const { connection, pool } = await aDatabase()
    const proxy = await aDatabaseProxy(connection)
    const world = await openWorld(proxy.connection)
    const { owner, subscriptionId } = await aBilledProject({ world })
    await world.untilWorkedOff()
    const change = () =>
      owner.call(
        'changeSubscriptionPlan',
        { subscriptionId, planId: 'enterprise' },
        { 'idempotency-key': 'the-key' },
      )

    const letGo = await hold(pool, lock)
    const first = change()
    await untilSomebodyWaits(pool, statement)
    proxy.cut()
    expect((await first).status).toBe(503)
    await letGo()
    const taken = `select from subscriptions where billing_lease_by is not null
      union all select from idempotency_keys where answer is null`
    while (!(await pool.query(taken)).rowCount) await delay(10)
    proxy.restore()
    while ((await world.request('/readyz')).status !== 200) await delay(10)
    world.pass(60_000)

    world.pass(limits.calls.claimed)
    expect((await change()).result).toEqual({})
    expect((await pool.query(taken)).rowCount).toBe(0)
  },
)

test('a project stays taken for as long as the work on its billing goes on', async () => {
  const { world, subscriptionId } = await aBilledProject()
  const { billing } = world.services.store
  const take = () => {
    const now = world.services.now()
    return billing.acquireLease(subscriptionId, { by: 'another', now, until: after(now, 1000) })
  }
  const leasedUntil = async () => (await billing.find(subscriptionId))!.billingLeaseUntil!
  await world.untilWorkedOff()
  await withBillingLease(subscriptionId, world.services, async () => {
    const until = await leasedUntil()
    world.pass(50_000)
    while ((await leasedUntil()) <= until) await delay(20)
    world.pass(50_000)
    expect(await take()).toBeUndefined()
  })
  expect(await take()).toBeDefined()
})
