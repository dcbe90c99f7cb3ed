// @module-tag slow
import { expect, test } from 'vitest'
import { aSubscription, day, hour, week } from './a-sandbox.ts'

const asked = { reason: 'cancellation_requested' }

test('a subscription that ends with its period has the time of its end, and can go on', async () => {
  const { stripe, subscription, events, advance } = await aSubscription()
  const { id, items } = subscription
  const { now } = await advance(day)
  const ending = await stripe.subscriptions.update(id, {
    cancel_at_period_end: true,
    cancellation_details: { comment: 'Too dear', feedback: 'too_expensive' },
  })
  expect(ending).toMatchObject({
    status: 'active',
    cancel_at_period_end: true,
    cancel_at: items.data[0]?.current_period_end,
    ended_at: null,
    cancellation_details: { ...asked, comment: 'Too dear', feedback: 'too_expensive' },
  })
  expect(ending.canceled_at).toBeGreaterThanOrEqual(now)
  const going = await stripe.subscriptions.update(id, { cancel_at_period_end: false })
  expect(going).toMatchObject({
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    cancellation_details: { reason: null },
  })
  await advance(1)
  const changes = events().filter(({ type }) => type === 'customer.subscription.updated')
  expect(changes.slice(-2).map(({ data }) => data.previous_attributes)).toMatchObject([
    { cancel_at_period_end: false, cancel_at: null, canceled_at: null },
    { cancel_at_period_end: true },
  ])
})

test('a subscription that ends with its period is not billed again, and keeps the time of the request', async () => {
  const { stripe, subscription, invoices, advance, events, now } = await aSubscription()
  const { id, items } = subscription
  const { canceled_at } = await stripe.subscriptions.update(id, {
    cancel_at_period_end: true,
    cancellation_details: { feedback: 'unused' },
  })
  await advance(week + hour)
  const end = items.data[0]?.current_period_end
  expect(await now()).toMatchObject({
    status: 'canceled',
    cancel_at_period_end: true,
    canceled_at,
    ended_at: end,
    cancellation_details: { ...asked, feedback: 'unused' },
  })
  expect(await invoices()).toHaveLength(1)
  expect(events().map(({ type }) => type)).toContain('customer.subscription.deleted')
})

test('the next invoice of a subscription that ends with its period cannot be previewed, a change can', async () => {
  const { stripe, subscription, item } = await aSubscription()
  const { id } = subscription
  await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  const preview = (subscription_details = {}) =>
    stripe.invoices.createPreview({ subscription: id, subscription_details })
  await expect(preview()).rejects.toMatchObject({
    code: 'invoice_upcoming_none',
    message: `No upcoming invoices for customer: ${subscription.customer as string}`,
  })
  expect(await preview({ cancel_at_period_end: false })).toMatchObject({ total: 1000 })
  const items = [{ id: item, price: 'price_enterprise' }]
  expect(await preview({ items, proration_behavior: 'always_invoice' })).toMatchObject({
    total: 2000,
  })
})

test('a subscription created to end with its period has the time of its end', async () => {
  const { stripe, customer } = await aSubscription()
  const made = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: 'price_pro' }],
    cancel_at_period_end: true,
  })
  expect(made).toMatchObject({
    cancel_at: made.items.data[0]?.current_period_end,
    canceled_at: made.created,
    cancellation_details: asked,
  })
})

test('the end with the period stays when a pending change is paid, and moves with the period', async () => {
  const { stripe, subscription, item, use, card, now } = await aSubscription()
  const { id } = subscription
  await use('pm_card_chargeCustomerFail')
  await stripe.subscriptions.update(id, {
    items: [{ id: item, price: 'price_enterprise' }],
    billing_cycle_anchor: { type: 'now' },
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  })
  const ending = await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  expect(ending.pending_update).not.toBeNull()
  await stripe.invoices.pay(ending.latest_invoice as string, { payment_method: card })
  const changed = await now()
  expect(changed).toMatchObject({
    cancel_at_period_end: true,
    cancel_at: changed.items.data[0]?.current_period_end,
    items: { data: [{ price: { id: 'price_enterprise' } }] },
  })
})

test('a subscription that ends with its period drops its pending change before', async () => {
  const { stripe, use, change, advance, now, subscription } = await aSubscription()
  await advance(week - 12 * hour)
  await use('pm_card_chargeCustomerFail')
  await change('price_enterprise', 'pending_if_incomplete')
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await advance(12 * hour)
  expect(await now()).toMatchObject({
    status: 'canceled',
    pending_update: null,
    items: { data: [{ price: { id: 'price_pro' } }] },
  })
})
