// @module-tag slow
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSubscription, day, hour, intentOf, invoiceOf, week, withIntent } from './a-sandbox.ts'

/** A weekly subscription, three and a half days after its start, and a yearly price. */
async function aWeek(card?: string) {
  const sandbox = await aSubscription({ ...(card && { card }) })
  const { stripe, subscription, item } = sandbox
  const { id: yearly } = await stripe.prices.create({
    product: 'prod_pro',
    currency: 'usd',
    unit_amount: 40_000,
    recurring: { interval: 'year' },
  })
  const { now } = await sandbox.advance(3.5 * day)
  const details: Stripe.SubscriptionUpdateParams & { proration_date: number } = {
    items: [{ id: item, price: yearly }],
    billing_cycle_anchor: { type: 'now' },
    proration_behavior: 'always_invoice',
    proration_date: now,
  }
  return {
    ...sandbox,
    yearly,
    details,
    preview: (more: object = {}) =>
      stripe.invoices.createPreview({
        subscription: subscription.id,
        subscription_details: { ...details, ...more },
      }),
    changeTo: (more: object = {}) =>
      stripe.subscriptions.update(subscription.id, {
        ...details,
        expand: ['latest_invoice.payments'],
        ...more,
      }),
  }
}

test('a change to a yearly price with billing_cycle_anchor=now credits the rest of the week and bills a whole year', async () => {
  const { preview, changeTo, subscription, invoices, advance, yearly } = await aWeek()
  const shown = await preview()
  expect(shown).toMatchObject({ total: 39_500, amount_due: 39_500 })
  const changed = await changeTo()
  const invoice = invoiceOf(changed)
  expect(invoice).toMatchObject({
    billing_reason: 'subscription_update',
    status: 'paid',
    amount_paid: 39_500,
  })
  const lines = invoice.lines.data
  expect(lines.map(({ amount, description }) => [amount, description?.split(' after')[0]])).toEqual(
    [
      [-500, 'Unused time on Pro'],
      [40_000, '1 × Pro (at $400.00 / year)'],
    ],
  )
  expect(lines.map(({ parent }) => parent?.subscription_item_details?.proration)).toEqual([
    true,
    false,
  ])
  const begins = changed.billing_cycle_anchor
  expect(begins - subscription.billing_cycle_anchor).toBeGreaterThanOrEqual(3.5 * day)
  expect(lines.map(({ period }) => period.end)).toEqual([
    subscription.items.data[0]?.current_period_end,
    changed.items.data[0]?.current_period_end,
  ])
  expect(changed.items.data[0]).toMatchObject({
    current_period_start: begins,
    price: { id: yearly },
    plan: { interval: 'year' },
  })
  await advance(2 * week)
  expect(await invoices()).toHaveLength(2)
})

test('a change from a yearly price to a weekly one leaves credit for the rest of the year', async () => {
  const { stripe, subscription, item, changeTo, customer, balanceOf, advance, invoices } =
    await aWeek()
  await changeTo()
  await advance(day)
  const back = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, price: 'price_pro' }],
    billing_cycle_anchor: { type: 'now' },
    proration_behavior: 'create_prorations',
    expand: ['latest_invoice'],
  })
  expect(invoiceOf(back)).toMatchObject({ status: 'paid', amount_due: 0 })
  const credit = await balanceOf(customer.id)
  expect(credit).toBeLessThan(-38_000)
  await advance(week + hour)
  expect((await invoices())[0]).toMatchObject({ total: 1000, amount_due: 0 })
  expect(await balanceOf(customer.id)).toBe(credit + 1000)
})

test('billing_cycle_anchor=now without proration bills a new period and credits nothing', async () => {
  const { changeTo } = await aWeek()
  const alone = await changeTo({
    items: undefined,
    proration_behavior: 'none',
    proration_date: undefined,
  })
  expect(invoiceOf(alone).lines.data.map(({ amount }) => amount)).toEqual([1000])
  expect(alone.items.data[0]?.current_period_end).toBe(alone.billing_cycle_anchor + week)
})

test('without billing_cycle_anchor=now, a price of another interval keeps the anchor and is prorated', async () => {
  const { changeTo, preview, subscription } = await aWeek()
  const anchor = subscription.billing_cycle_anchor
  const shown = await preview({ billing_cycle_anchor: { type: 'unchanged' } })
  const changed = await changeTo({ billing_cycle_anchor: { type: 'unchanged' } })
  expect(changed.billing_cycle_anchor).toBe(anchor)
  expect(changed.items.data[0]?.current_period_start).toBe(anchor)
  const lines = invoiceOf(changed).lines.data
  expect(lines.map(({ amount }) => amount)).toEqual(shown.lines.data.map(({ amount }) => amount))
  const left = lines[1]!.period.end - lines[1]!.period.start
  const whole = changed.items.data[0]!.current_period_end - anchor
  expect(lines[1]?.amount).toBe(Math.round((40_000 * left) / whole))
})

test('a change of interval that waits for its payment begins its period at the request', async () => {
  const { stripe, use, changeTo, now, submit, subscription, advance } = await aWeek()
  await use('pm_card_authenticationRequired')
  const waiting = await withIntent(
    stripe,
    await changeTo({ payment_behavior: 'pending_if_incomplete' }),
  )
  expect(waiting).toMatchObject({
    billing_cycle_anchor: subscription.billing_cycle_anchor,
    items: { data: [{ price: { id: 'price_pro' } }] },
  })
  const begins = invoiceOf(waiting).lines.data[1]?.period.start
  expect(waiting.pending_update?.billing_cycle_anchor).toBe(begins)
  await advance(hour)
  const { next_action, client_secret } = intentOf(waiting)
  await submit(next_action?.redirect_to_url?.url ?? '', {
    outcome: 'complete',
    client_secret: client_secret ?? '',
  })
  expect(await now()).toMatchObject({
    billing_cycle_anchor: begins,
    items: { data: [{ current_period_start: begins, price: { recurring: { interval: 'year' } } }] },
    pending_update: null,
  })
})
