// @module-tag slow
import { expect, test } from 'vitest'
import { aLoggedWorld } from '../../tests/a-billed-project.ts'
import type { Person } from '../../tests/world.ts'
import { newId } from '../platform/ids.ts'
import { reconcile } from './reconcile.ts'

const day = 24 * 3600
const week = 7 * day

/** A server that keeps its log lines, and one owner of a paid project for each name. */
async function aHouse(names: string[] = ['ann']) {
  const { world, lines } = await aLoggedWorld('info')
  const { pool } = world
  const people = await Promise.all(names.map((name) => buyer(name)))
  await world.untilWorkedOff()

  async function buyer(name: string) {
    const person = await world.aPerson(name)
    return { person, subscriptionId: (await person.buys()).subscriptionId }
  }

  /** Lets time pass without webhooks, as if the webhook endpoint were turned off at Stripe. */
  async function passUnheard(seconds: number) {
    await world.control({ webhooks: { mode: 'drop' } })
    await world.passAtProvider(seconds)
    await pool.query(
      `update sandbox.objects set body = body || '{"pending_webhooks": 0}' where type = 'event'`,
    )
    await world.control({ webhooks: { mode: 'deliver' } })
  }

  const reconciled = async (options?: { pageSize: number }) => {
    await reconcile(world.services, options)
    await world.untilWorkedOff()
  }
  const said = (text: string) => lines.filter(({ msg }) => msg.includes(text))
  const jobs = async () =>
    (await pool.query(`select payload from jobs where key = 'reconcile page'`)).rows
  return { world, pool, people, buyer, passUnheard, reconciled, said, jobs }
}

async function statuses({ person, subscriptionId }: { person: Person; subscriptionId: string }) {
  return (await person.invoices(subscriptionId)).map(({ status }) => status)
}

test('a reconciliation stores invoices whose webhooks never came, and mails each receipt once', async () => {
  const { world, people, passUnheard, reconciled } = await aHouse()
  await passUnheard(3 * week + day)
  expect(await statuses(people[0]!)).toEqual(['paid'])
  for (const _ of ['once', 'again']) await reconciled()
  expect(await statuses(people[0]!)).toEqual(['paid', 'paid', 'paid', 'paid'])
  const receipts = (await world.mails('ann@example.com')).filter(({ subject }) =>
    subject.startsWith('Your receipt'),
  )
  expect(receipts).toHaveLength(4)
})

test('the first webhook after weeks without webhooks starts a reconciliation', async () => {
  const { world, people, passUnheard } = await aHouse(['ann', 'ben'])
  await passUnheard(2 * week + day)
  await world.passAtProvider(week)
  for (const { person, subscriptionId } of people)
    expect(await statuses({ person, subscriptionId })).toEqual(['paid', 'paid', 'paid', 'paid'])
})

test('a reconciliation marks an older invoice as paid when no webhook reported its payment', async () => {
  const { world, people, buyer, passUnheard, reconciled } = await aHouse()
  await world.control({ charges: { fail: 1 } })
  await world.passAtProvider(week + 2 * 3600)
  expect(await statuses(people[0]!)).toEqual(['open', 'paid'])
  await world.passAtProvider(2 * day)
  await buyer('ben')
  await reconciled()
  await passUnheard(2 * week)
  await reconciled()
  expect(await statuses(people[0]!)).toEqual(['paid', 'paid', 'paid', 'paid'])
})

test('a project stays overdue while one week is unpaid, even if the next week is paid', async () => {
  const { world, people, reconciled } = await aHouse()
  const { person, subscriptionId } = people[0]!
  // Declines the first charge for the second week, and every retry before the third week.
  await world.control({ charges: { fail: 5 } })
  await world.passAtProvider(2 * week + 2 * 3600)
  expect(await statuses(people[0]!)).toEqual(['paid', 'open', 'paid'])
  const payment = async () => (await person.project(subscriptionId)).payment
  expect(await payment()).toBe('past_due')
  await reconciled()
  expect(await payment()).toBe('past_due')
})

test('a reconciliation reads all subscriptions and invoices, page by page', async () => {
  const { people, passUnheard, reconciled, said, world } = await aHouse(['ann', 'ben', 'cleo'])
  const cleo = people[2]!
  const row = await world.services.store.billing.find(cleo.subscriptionId)
  await passUnheard(2 * week + day)
  await world.control({ webhooks: { mode: 'drop' } })
  await world.services.payments.endProviderSubscription(row!.providerSubscriptionId!)
  await reconciled({ pageSize: 1 })
  for (const buyer of people) expect(await statuses(buyer)).toEqual(['paid', 'paid', 'paid'])
  expect((await cleo.person.project(cleo.subscriptionId)).status).toBe('canceled')
  expect(said('reconciled with the provider')).toHaveLength(1)
})

test('an interrupted reconciliation continues where it stopped, and no second one starts before it has finished', async () => {
  const { world, pool, people, passUnheard, reconciled, said, jobs } = await aHouse([
    'ann',
    'ben',
    'cleo',
  ])
  await passUnheard(week + day)
  await world.control({ api: { fault: 'break', skip: 3 } })
  await reconciled({ pageSize: 1 })
  const [left, ...others] = await jobs()
  expect(left).toMatchObject({
    payload: { step: 'liveProviderSubscriptions', after: expect.any(String) },
  })
  await reconciled({ pageSize: 1 })
  expect([left, ...others]).toEqual(await jobs())
  expect(others).toEqual([])
  expect(said('still under way')).toHaveLength(1)
  await world.control({ api: {} })
  await pool.query(`update jobs set run_at = now(), last_error = null where key = 'reconcile page'`)
  await world.untilWorkedOff()
  for (const buyer of people) expect(await statuses(buyer)).toEqual(['paid', 'paid'])
  expect(said('reconciled with the provider')).toHaveLength(1)
})

test('a reconciliation sends no extra request for a subscription that has not changed', async () => {
  const { world, reconciled, pool } = await aHouse(['ann', 'ben', 'cleo'])
  await reconciled()
  // The sandbox counts requests while a fault is set, here one that begins after 1000 requests.
  await world.control({ api: { fault: 'break', skip: 1000 } })
  await reconciled()
  const { rows } = await pool.query<{ count: number }>(
    'select last_value count from sandbox.failed_requests where is_called',
  )
  // One request each for events, subscriptions, invoices, and for prices that are not cached.
  expect(rows[0]!.count).toBeLessThanOrEqual(4)
})

test('subscriptions of other products in the same Stripe account are logged in one line a day', async () => {
  const { world, reconciled, said } = await aHouse()
  const { payments } = world.services
  for (const subscriptionId of ['one_of_others', 'another_of_others']) {
    const attempt = newId()
    const customerId = await payments.createCustomer({ subscriptionId, attempt })
    await payments.startProviderSubscription({
      subscriptionId,
      customerId,
      priceId: 'price_pro_weekly',
      currency: 'usd',
      paymentMethodId: 'pm_card_visa',
      attempt,
    })
  }
  await reconciled({ pageSize: 1 })
  expect(said('belong to no project here')).toMatchObject([
    { level: 40, count: 2, some: [expect.any(String), expect.any(String)] },
  ])
})

test('when Stripe does not know the subscription of a project, a reconciliation logs an error that names the project', async () => {
  const { world, reconciled, said, people, pool } = await aHouse(['ann', 'ben'])
  const { subscriptionId } = people[0]!
  await pool.query(
    `update subscriptions set stripe_subscription_id = 'sub_unknown' where id = $1`,
    [subscriptionId],
  )
  await pool.query(
    `delete from sandbox.objects where type = 'subscription' and body #>> '{metadata,subscriptionId}' = $1`,
    [subscriptionId],
  )
  await reconciled()
  expect(said('does not know the subscription')).toMatchObject([
    { level: 50, subscription: subscriptionId, providerSubscription: 'sub_unknown' },
  ])
  expect((await world.services.store.billing.find(subscriptionId))!.status).toBe('active')
})

test('a reconciliation logs a subscription that it fails to process, and goes on with the others', async () => {
  const { people, passUnheard, reconciled, said, pool } = await aHouse(['ann', 'ben'])
  await passUnheard(week + day)
  const isNewest = `id = (select id from sandbox.objects where type = 'subscription' order by seq desc limit 1)`
  const { rows } = await pool.query<{ id: string }>(
    `update sandbox.objects set body = jsonb_set(body, '{items,data,0,current_period_end}', '1e15') where ${isNewest} returning id`,
  )
  await reconciled()
  expect(said('could not reconcile')[0]).toMatchObject({ level: 50, id: rows[0]!.id })
  for (const buyer of people) expect(await statuses(buyer)).toEqual(['paid', 'paid'])
})

test('the list of undelivered webhooks has only event types that we handle, and can begin at the last reconciliation', async () => {
  const { world, pool, passUnheard, reconciled } = await aHouse()
  await passUnheard(week + day)
  await reconciled()
  await pool.query(
    `update sandbox.objects set body = body || '{"pending_webhooks": 1}' where type = 'event'`,
  )
  const all: string[] = []
  for await (const { type } of world.services.payments.listUndeliveredEvents()) all.push(type)
  const types = new Set(all)
  expect(types).toContain('invoice.paid')
  expect(
    [...types].filter((type) => !/^(customer\.subscription|invoice|payment_method)\./.test(type)),
  ).toEqual([])
  const recent: string[] = []
  const until = Number(await world.services.store.installation.find('reconciled until'))
  for await (const { id } of world.services.payments.listUndeliveredEvents({ since: until - day }))
    recent.push(id)
  expect(recent.length).toBeGreaterThan(0)
  expect(recent.length).toBeLessThan(all.length)
})

test('the list of undelivered webhooks goes on after each of its events', async () => {
  const { world, pool } = await aHouse()
  await pool.query(
    `update sandbox.objects set body = body || '{"pending_webhooks": 1}' where type = 'event'`,
  )
  const list = async (after?: string) => {
    const ids: string[] = []
    const events = world.services.payments.listUndeliveredEvents({ after, pageSize: 2 })
    for await (const { id } of events) ids.push(id)
    return ids
  }
  const all = await list()
  expect(new Set(all).size).toBe(all.length)
  for (const [place, id] of all.entries()) expect(await list(id)).toEqual(all.slice(place + 1))
})
