// @module-tag slow
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSubscription, day, hour, invoiceOf, week } from './a-sandbox.ts'

/** A weekly subscription with a schedule, and helpers that change the schedule. */
async function aSchedule() {
  const sandbox = await aSubscription()
  const { stripe, subscription } = sandbox
  const schedules = stripe.subscriptionSchedules
  const schedule = await schedules.create({ from_subscription: subscription.id })
  const [phase] = schedule.phases
  const present = {
    start_date: phase!.start_date,
    end_date: phase!.end_date,
    items: [{ price: 'price_pro', quantity: 1 }],
  }
  const next = { items: [{ price: 'price_enterprise', quantity: 1 }] }
  return {
    ...sandbox,
    schedules,
    schedule,
    present,
    next,
    plans: (
      phases: Stripe.SubscriptionScheduleUpdateParams.Phase[] = [present, next],
      more: Stripe.SubscriptionScheduleUpdateParams = {},
    ) => schedules.update(schedule.id, { end_behavior: 'release', phases, ...more }),
    found: () => schedules.retrieve(schedule.id),
    types: async () => {
      await sandbox.advance(1)
      return sandbox.events().map(({ type }) => type)
    },
  }
}

const priceOf = ({ items }: Stripe.Subscription) => items.data[0]?.price.id

test('a schedule of a subscription begins with the current period as its only phase', async () => {
  const { stripe, schedule, subscription, customer, now, schedules } = await aSchedule()
  const { current_period_start: start_date, current_period_end: end_date } =
    subscription.items.data[0]!
  expect(schedule).toMatchObject({
    status: 'active',
    end_behavior: 'release',
    subscription: subscription.id,
    customer: customer.id,
    current_phase: { start_date, end_date },
    phases: [
      { start_date, end_date, currency: 'usd', items: [{ price: 'price_pro', quantity: 1 }] },
    ],
  })
  expect((await now()).schedule).toBe(schedule.id)
  const expanded = await stripe.subscriptions.retrieve(subscription.id, { expand: ['schedule'] })
  expect(expanded.schedule).toMatchObject({ id: schedule.id, object: 'subscription_schedule' })
  expect((await schedules.list({ customer: customer.id })).data.map(({ id }) => id)).toEqual([
    schedule.id,
  ])
})

test('the next phase begins with the next period, and the renewal bills its price in full', async () => {
  const { stripe, plans, present, next, advance, invoices, now, found, types, subscription } =
    await aSchedule()
  const planned = await plans(
    [present, { ...next, proration_behavior: 'none', metadata: { plan: 'enterprise' } }],
    { metadata: { by: 'ann' } },
  )
  expect(planned).toMatchObject({
    metadata: { by: 'ann' },
    phases: [
      { end_date: present.end_date },
      {
        start_date: present.end_date,
        end_date: present.end_date + week,
        proration_behavior: 'none',
        metadata: { plan: 'enterprise' },
      },
    ],
  })
  expect(priceOf(await now())).toBe('price_pro')
  const preview = await stripe.invoices.createPreview({ subscription: subscription.id })
  expect(preview).toMatchObject({ total: 3000 })
  await advance(week + hour)
  const [renewal] = await invoices()
  expect(renewal).toMatchObject({
    status: 'paid',
    total: 3000,
    billing_reason: 'subscription_cycle',
  })
  expect(renewal?.lines.data).toHaveLength(1)
  expect(await now()).toMatchObject({
    metadata: { plan: 'enterprise' },
    schedule: planned.id,
    items: { data: [{ price: { id: 'price_enterprise' }, plan: { id: 'price_enterprise' } }] },
  })
  expect((await found()).current_phase).toEqual({
    start_date: present.end_date,
    end_date: present.end_date + week,
  })
  expect(await types()).toEqual(
    expect.arrayContaining(['subscription_schedule.created', 'subscription_schedule.updated']),
  )
})

test('after its last phase a schedule releases the subscription, which goes on', async () => {
  const { plans, advance, invoices, now, found, types, subscription } = await aSchedule()
  await plans()
  await advance(2 * week + hour)
  expect(await found()).toMatchObject({
    status: 'released',
    subscription: null,
    released_subscription: subscription.id,
    current_phase: null,
  })
  expect(await now()).toMatchObject({ status: 'active', schedule: null })
  expect((await invoices()).map(({ total }) => total)).toEqual([3000, 3000, 1000])
  expect(await types()).toContain('subscription_schedule.released')
})

test.each(['phase_start', undefined] as const)(
  'a next phase of another interval begins its period when it begins (billing_cycle_anchor: %s)',
  async (billing_cycle_anchor) => {
    const { stripe, plans, present, advance, invoices, now } = await aSchedule()
    const yearly = await stripe.prices.create({
      product: 'prod_pro',
      currency: 'usd',
      unit_amount: 40_000,
      recurring: { interval: 'year' },
    })
    const planned = await plans([
      present,
      {
        items: [{ price: yearly.id }],
        proration_behavior: 'none',
        ...(billing_cycle_anchor && { billing_cycle_anchor }),
      },
    ])
    await advance(week + hour)
    expect((await invoices())[0]).toMatchObject({ status: 'paid', total: 40_000 })
    expect(await now()).toMatchObject({
      billing_cycle_anchor: present.end_date,
      items: {
        data: [
          {
            current_period_start: present.end_date,
            current_period_end: planned.phases[1]?.end_date,
          },
        ],
      },
    })
  },
)

test('a schedule that is released leaves the subscription as it is', async () => {
  const { schedules, schedule, plans, now, advance, invoices, subscription } = await aSchedule()
  await plans()
  expect(await schedules.release(schedule.id)).toMatchObject({
    status: 'released',
    subscription: null,
    released_subscription: subscription.id,
  })
  expect(await now()).toMatchObject({ schedule: null })
  await advance(week + hour)
  expect((await invoices())[0]).toMatchObject({ total: 1000 })
  for (const ask of [
    () => schedules.release(schedule.id),
    () => schedules.cancel(schedule.id),
    () => plans(),
  ])
    await expect(ask()).rejects.toMatchObject({
      param: 'schedule',
      message: expect.stringMatching(/currently in the `released` status/),
    })
  await schedules.create({ from_subscription: subscription.id })
})

test('canceling a schedule cancels its subscription, and credits the rest of the period unless told not to', async () => {
  const { schedules, schedule, now, customer, balanceOf, types } = await aSchedule()
  expect(await schedules.cancel(schedule.id)).toMatchObject({ status: 'canceled' })
  expect(await now()).toMatchObject({ status: 'canceled' })
  expect(await balanceOf(customer.id)).toBeLessThan(-990)
  expect(await types()).toContain('subscription_schedule.canceled')
  const other = await aSchedule()
  await other.schedules.cancel(other.schedule.id, { prorate: false, invoice_now: false })
  expect(await other.balanceOf(other.customer.id)).toBe(0)
})

test('a subscription that ends ends its schedule', async () => {
  const { stripe, subscription, found, types } = await aSchedule()
  await stripe.subscriptions.cancel(subscription.id)
  expect(await found()).toMatchObject({ status: 'canceled', current_phase: null })
  expect(await types()).toContain('subscription_schedule.canceled')
  const unpaid = await aSchedule()
  await unpaid.plans()
  await unpaid.use('pm_card_chargeCustomerFail')
  await unpaid.schedules.update(unpaid.schedule.id, {
    phases: [unpaid.present, { ...unpaid.next, end_date: unpaid.present.end_date + 9 * week }],
  })
  await unpaid.advance(4 * week)
  expect(await unpaid.now()).toMatchObject({ status: 'canceled' })
  expect(await unpaid.types()).toContain('subscription_schedule.aborted')
})

test('while a schedule manages a subscription, its end can only be set there, and no second schedule is made', async () => {
  const { stripe, subscription, schedule, schedules } = await aSchedule()
  for (const cancel_at_period_end of [true, false])
    await expect(
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end }),
    ).rejects.toThrow(
      `The subscription is managed by the subscription schedule \`${schedule.id}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    )
  await expect(schedules.create({ from_subscription: subscription.id })).rejects.toMatchObject({
    param: 'from_subscription',
    message: `You cannot migrate a subscription that is already attached to a schedule: \`${schedule.id}\`.`,
  })
})

test('a direct change of the items splits the current phase, and the next phase still follows', async () => {
  const { stripe, subscription, item, plans, found, advance, invoices, now } = await aSchedule()
  await plans()
  await advance(day)
  await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, quantity: 2 }],
    proration_behavior: 'none',
  })
  const { phases, current_phase } = await found()
  expect(phases.map(({ items }) => [items[0]?.price, items[0]?.quantity])).toEqual([
    ['price_pro', 1],
    ['price_pro', 2],
    ['price_enterprise', 1],
  ])
  expect(phases[0]?.end_date).toBe(phases[1]?.start_date)
  expect(current_phase?.start_date).toBe(phases[1]?.start_date)
  await advance(week)
  expect((await invoices())[0]).toMatchObject({ total: 3000 })
  expect((await now()).items.data[0]).toMatchObject({ quantity: 1 })
})

test('a pending change splits the current phase once it is paid', async () => {
  const { stripe, use, change, card, found } = await aSchedule()
  await use('pm_card_chargeCustomerFail')
  const waiting = await change('price_enterprise', 'pending_if_incomplete')
  expect((await found()).phases).toHaveLength(1)
  await stripe.invoices.pay(invoiceOf(waiting).id, { payment_method: card })
  expect((await found()).phases.map(({ items }) => items[0]?.price)).toEqual([
    'price_pro',
    'price_enterprise',
  ])
})

test('a change of the current phase changes the subscription at once', async () => {
  const { plans, present, next, now, advance, invoices } = await aSchedule()
  await advance(3.5 * day)
  await plans([{ ...present, ...next, metadata: { a: 'b' } }], {
    proration_behavior: 'always_invoice',
  })
  expect(await now()).toMatchObject({
    metadata: { a: 'b' },
    items: { data: [{ price: { id: 'price_enterprise' } }] },
  })
  expect((await invoices())[0]).toMatchObject({ total: 1000 })
})

test('phases that do not fit are refused', async () => {
  const { stripe, plans, present, next, advance } = await aSchedule()
  const dated = { ...next, start_date: present.end_date }
  const refusals: [Stripe.SubscriptionScheduleUpdateParams.Phase[], RegExp][] = [
    [[{ items: present.items }], /missing at least one phase with a `start_date`/],
    [[{ ...present, start_date: present.start_date + 1 }], /modify the start date of the current/],
    [[present, { ...dated, start_date: present.end_date + 1 }], /the next phase must begin then/],
    [[present, { ...dated, end_date: present.end_date }], /must be after its `start_date`/],
    [Array.from({ length: 11 }, () => present), /up to 10 phases/],
    [[present, { ...dated, items: [{ price: 'price_none' }] }], /No such price/],
    [[present, { ...dated, currency: 'eur' }], /cannot combine currencies/],
    [[present, { ...dated, items: [{ price: 'price_euro' }] }], /only supports `eur`/],
  ]
  await advance(1)
  const euro = await stripe.prices.create({
    product: 'prod_pro',
    currency: 'eur',
    unit_amount: 1,
    recurring: { interval: 'week' },
  })
  refusals.at(-1)![0][1]!.items = [{ price: euro.id }]
  for (const [phases, message] of refusals) await expect(plans(phases)).rejects.toThrow(message)
  await advance(day)
  await expect(plans([{ ...present, end_date: present.start_date + 60 }])).rejects.toThrow(
    'You can not update a phase that has already ended. Trying to update phase 0.',
  )
  expect(await plans([present, dated])).toMatchObject({ status: 'active' })
})

test('phases that ended stay in the schedule, and are left out of updates', async () => {
  const { plans, present, next, advance, found } = await aSchedule()
  await plans([present, { ...next, end_date: present.end_date + 2 * week }])
  await advance(week + hour)
  const [, current] = (await found()).phases
  const changed = await plans([
    { ...next, start_date: current!.start_date, end_date: current!.end_date },
    { items: present.items },
  ])
  expect(changed.phases.map(({ items }) => items[0]?.price)).toEqual([
    'price_pro',
    'price_enterprise',
    'price_pro',
  ])
})
