import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox, hour, webhookSecret } from './a-sandbox.ts'

const { webhooks } = new Stripe('sk_test_sandbox')

test('every change of an object sends a signed webhook in the format of the API version', async () => {
  const { received, aCustomer, subscribes, advance, stripe } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  await subscribes(customer.id, card?.id)
  await advance(1)
  const events = received.map(({ body, headers }) =>
    webhooks.constructEvent(body, headers['stripe-signature'] ?? '', webhookSecret),
  )
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'customer.subscription.created',
    'customer.subscription.updated',
    'customer.updated',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.updated',
    'payment_method.attached',
  ])
  expect(events.every(({ api_version }) => api_version === '2026-10-28.endive')).toBe(true)
  const updated = events.find(({ type }) => type === 'customer.subscription.updated')
  expect(updated?.data.previous_attributes).toMatchObject({ status: 'incomplete' })
  expect(await stripe.events.retrieve(updated?.id ?? '')).toMatchObject({
    pending_webhooks: 0,
    type: updated?.type,
  })
})

test('a webhook that its receiver refuses or does not get is sent again', async () => {
  let answers = [() => 500, () => Promise.reject(new Error('connection refused'))]
  const seen: string[] = []
  const { aCustomer, advance } = await aSandbox({
    deliver: async (body) => {
      seen.push((JSON.parse(body) as { id: string }).id)
      const answer = answers.shift()
      return answer ? answer() : 200
    },
  })
  await aCustomer('pm_card_visa')
  await advance(1)
  await advance(hour)
  expect(seen).toHaveLength(4)
  expect(new Set(seen).size).toBe(2)
  await advance(hour)
  expect(seen).toHaveLength(4)
})

test('an undelivered webhook is sent three more times within a few hours, and then no more', async () => {
  const seen: string[] = []
  const { aCustomer, advance, overview } = await aSandbox({
    deliver: async (body) => {
      seen.push((JSON.parse(body) as { type: string }).type)
      return 500
    },
  })
  await aCustomer()
  await aCustomer('pm_card_visa')
  await advance(6 * hour)
  expect(seen.filter((type) => type === 'payment_method.attached')).toHaveLength(4)
  expect((await overview()).events.map(({ state }) => state)).toEqual(['given_up', 'given_up'])
  await advance(30 * 24 * hour)
  expect(seen).toHaveLength(8)
})

test('after a restart the sandbox still has all its data, and delivers undelivered webhooks', async () => {
  const before = await aSandbox({ deliver: () => Promise.reject(new Error('nobody listens')) })
  const { customer, card } = await before.aCustomer('pm_card_visa')
  const { id } = await before.subscribes(customer.id, card?.id)
  await before.advance(hour)
  await before.sandbox.close()
  const after = await aSandbox({ pool: before.pool })
  expect(await after.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' })
  const { now } = await after.advance(1)
  expect(now).toBeGreaterThan(Date.now() / 1000 + hour - 60)
  expect(after.events().map(({ type }) => type)).toEqual(
    expect.arrayContaining(['customer.subscription.created', 'invoice.paid']),
  )
})

test('closing the sandbox waits for a webhook that is being delivered', async () => {
  const arrived = Promise.withResolvers<number>()
  const started = Promise.withResolvers<void>()
  const { aCustomer, sandbox } = await aSandbox({
    deliver: () => {
      started.resolve()
      return arrived.promise
    },
  })
  await aCustomer('pm_card_visa')
  await started.promise
  let closed = false
  const closing = sandbox.close().then(() => (closed = true))
  await new Promise(setImmediate)
  expect(closed).toBe(false)
  arrived.resolve(200)
  await closing
})

test('a request that is refused sends no webhook about invoices or subscriptions', async () => {
  const { aCustomer, subscribes, advance, events } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_chargeCustomerFail')
  await subscribes(customer.id, card?.id, 'price_pro', {
    payment_behavior: 'error_if_incomplete',
  }).catch(() => undefined)
  await advance(1)
  expect(
    events().filter(({ type }) => type.startsWith('invoice') || type.includes('subscription')),
  ).toEqual([])
})
