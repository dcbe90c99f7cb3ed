// @module-tag slow
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox, day, hour, invoiceOf, week } from './a-sandbox.ts'

async function aClock() {
  const sandbox = await aSandbox()
  const { stripe, subscribes } = sandbox
  const { testClocks } = stripe.testHelpers
  const clock = await testClocks.create({
    frozen_time: Math.floor(Date.now() / 1000) - day,
    name: 'Renewals',
  })

  async function untilReady() {
    let found = await testClocks.retrieve(clock.id)
    while (found.status === 'advancing') found = await testClocks.retrieve(clock.id)
    return found
  }

  return {
    ...sandbox,
    clock,
    testClocks,
    advances: async (frozen_time: number) =>
      [await testClocks.advance(clock.id, { frozen_time }), await untilReady()] as const,
    aPlan: async () => {
      const customer = await stripe.customers.create({ test_clock: clock.id })
      const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
      return { customer, plan: await subscribes(customer.id, card.id) }
    },
  }
}

test('a new test clock has Stripe’s fields and the sandbox’s current time', async () => {
  const { clock } = await aClock()
  expect(clock).toMatchObject({
    object: 'test_helpers.test_clock',
    livemode: false,
    name: 'Renewals',
    status: 'ready',
    status_details: {},
  })
  expect(
    Object.keys(clock)
      .filter((key) => key !== 'lastResponse')
      .toSorted(),
  ).toEqual(
    [
      'id',
      'object',
      'created',
      'deletes_after',
      'frozen_time',
      'livemode',
      'name',
      'status',
      'status_details',
    ].toSorted(),
  )
  expect(clock.frozen_time).toBeGreaterThan(Date.now() / 1000 - 60)
})

test('a subscription belongs to the test clock of its customer, and its renewals are done when the advanced clock is ready', async () => {
  const { stripe, clock, aPlan, advances } = await aClock()
  const { customer, plan } = await aPlan()
  expect([customer.test_clock, plan.test_clock, invoiceOf(plan).test_clock]).toEqual([
    clock.id,
    clock.id,
    clock.id,
  ])
  const to = clock.frozen_time + week + 2 * hour
  const [advancing, ready] = await advances(to)
  expect(advancing).toMatchObject({ status: 'advancing', frozen_time: clock.frozen_time })
  expect(advancing.status_details).toEqual({ advancing: { target_frozen_time: to } })
  expect(ready).toMatchObject({ status: 'ready', frozen_time: to, status_details: {} })
  const { data } = await stripe.invoices.list({ subscription: plan.id })
  expect(data.map(({ billing_reason, test_clock }) => [billing_reason, test_clock])).toEqual([
    ['subscription_cycle', clock.id],
    ['subscription_create', clock.id],
  ])
})

test('a test clock moves only forward, at most two weeks at a time with a weekly subscription, and not while it is advancing', async () => {
  const { clock, testClocks, aPlan } = await aClock()
  await aPlan()
  for (const frozen_time of [clock.frozen_time, clock.frozen_time + 2 * week + 1])
    await expect(testClocks.advance(clock.id, { frozen_time })).rejects.toMatchObject({
      param: 'frozen_time',
    })
  await testClocks.advance(clock.id, { frozen_time: clock.frozen_time + 2 * week })
  await expect(
    testClocks.advance(clock.id, { frozen_time: clock.frozen_time + 2 * week }),
  ).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
  await expect(testClocks.advance('clock_none', { frozen_time: 1 })).rejects.toMatchObject({
    code: 'resource_missing',
  })
})

test('customers and subscriptions on a test clock are not in lists without a filter by test clock or customer', async () => {
  const { stripe, clock, aPlan } = await aClock()
  const { customer, plan } = await aPlan()
  const ids = async (list: Promise<{ data: { id: string }[] }>) =>
    (await list).data.map(({ id }) => id)
  expect(await ids(stripe.subscriptions.list())).toEqual([])
  expect(await ids(stripe.subscriptions.list({ customer: customer.id }))).toEqual([plan.id])
  expect(await ids(stripe.subscriptions.list({ test_clock: clock.id }))).toEqual([plan.id])
  expect(await ids(stripe.customers.list())).toEqual([])
  expect(await ids(stripe.customers.list({ test_clock: clock.id }))).toEqual([customer.id])
})

test('deleting a test clock deletes its customers and their subscriptions', async () => {
  const { stripe, clock, testClocks, aPlan } = await aClock()
  const { customer, plan } = await aPlan()
  expect(await testClocks.del(clock.id)).toMatchObject({ id: clock.id, deleted: true })
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true })
  expect(await stripe.subscriptions.retrieve(plan.id)).toMatchObject({ status: 'canceled' })
  expect((await testClocks.list()).data).toEqual([])
  await expect(stripe.customers.create({ test_clock: clock.id })).rejects.toMatchObject({
    param: 'test_clock',
  })
})
