// @module-tag slow
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox, day, hour, invoiceOf, week } from './a-sandbox.ts'

type Params = Partial<Stripe.SubscriptionCreateParams>
type Missing = Stripe.SubscriptionCreateParams.TrialSettings.EndBehavior.MissingPaymentMethod

const ifMissing = (missing_payment_method: Missing) => ({
  trial_settings: { end_behavior: { missing_payment_method } },
})

/** A sandbox with a subscription in a trial, by default of five days, with or without a card. */
async function aTrial(params: Params = {}, testCard?: string) {
  const sandbox = await aSandbox()
  const { stripe, customer, card, ...rest } = { ...sandbox, ...(await sandbox.aCustomer(testCard)) }
  const days = params.trial_end === undefined ? { trial_period_days: 5 } : {}
  const subscription = await sandbox.subscribes(customer.id, card?.id, 'price_pro', {
    ...days,
    ...params,
  })
  const { id } = subscription
  return {
    ...rest,
    stripe,
    customer,
    subscription,
    now: () => stripe.subscriptions.retrieve(id),
    update: (changes: Stripe.SubscriptionUpdateParams) =>
      stripe.subscriptions.update(id, { expand: ['latest_invoice'], ...changes }),
    preview: (subscription_details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails = {}) =>
      stripe.invoices.createPreview({ subscription: id, subscription_details }),
    invoices: async () => (await stripe.invoices.list({ subscription: id })).data,
    item: subscription.items.data[0]!.id,
    types: async () => {
      await sandbox.advance(1)
      return sandbox.events().map(({ type }) => type)
    },
  }
}

const periodOf = ({ items }: Stripe.Subscription) => {
  const { current_period_start: start, current_period_end: end } = items.data[0]!
  return { start, end }
}

test('a trial needs no card: its first invoice is of nothing, and an intent waits for a card', async () => {
  const { subscription } = await aTrial()
  const { start, end } = periodOf(subscription)
  expect(end - start).toBe(5 * day)
  expect(subscription).toMatchObject({
    status: 'trialing',
    trial_start: start,
    trial_end: end,
    billing_cycle_anchor: end,
    trial_settings: { end_behavior: { missing_payment_method: 'create_invoice' } },
    pending_setup_intent: { object: 'setup_intent', status: 'requires_payment_method' },
  })
  expect(invoiceOf(subscription)).toMatchObject({
    status: 'paid',
    total: 0,
    billing_reason: 'subscription_create',
    lines: { data: [{ amount: 0, description: 'Free trial for 1 × Pro', period: { start, end } }] },
  })
})

test('a card that is set up during the trial pays for the first period after it', async () => {
  const { stripe, subscription, asBrowser, now, advance, invoices, preview } = await aTrial()
  const setup = subscription.pending_setup_intent as Stripe.SetupIntent
  await asBrowser(`/setup_intents/${setup.id}/confirm`, {
    client_secret: setup.client_secret ?? '',
    payment_method: 'pm_card_visa',
  })
  const withCard = await now()
  expect(withCard).toMatchObject({
    pending_setup_intent: null,
    default_payment_method: expect.stringMatching(/^pm_/),
  })
  const { end } = periodOf(withCard)
  expect(await preview()).toMatchObject({
    total: 1000,
    lines: { data: [{ period: { start: end, end: end + week } }] },
  })
  await advance(5 * day + 1)
  const [draft] = await invoices()
  expect(draft).toMatchObject({ status: 'draft', billing_reason: 'subscription_cycle' })
  await advance(hour)
  expect(await stripe.invoices.retrieve(draft!.id)).toMatchObject({ status: 'paid', total: 1000 })
  const after = await now()
  expect(after).toMatchObject({ status: 'active', trial_end: end })
  expect(periodOf(after)).toEqual({ start: end, end: end + week })
})

test('an event announces the end of a trial three days before, or at once if it is nearer', async () => {
  const told = 'customer.subscription.trial_will_end'
  const { advance, types, update } = await aTrial({}, 'pm_card_visa')
  expect(await types()).not.toContain(told)
  const { now } = await advance(2 * day)
  expect((await types()).filter((type) => type === told)).toHaveLength(1)
  await update({ trial_end: now + day })
  expect((await types()).filter((type) => type === told)).toHaveLength(2)
  const short = await aTrial({ trial_period_days: 2 }, 'pm_card_visa')
  expect(await short.types()).toContain(told)
})

test('a trial without a card ends with the subscription if its settings say so', async () => {
  const { advance, now, invoices, types } = await aTrial(ifMissing('cancel'))
  await advance(5 * day + hour)
  expect(await now()).toMatchObject({
    status: 'canceled',
    cancellation_details: { reason: 'cancellation_requested' },
  })
  expect(await invoices()).toHaveLength(1)
  expect(await types()).toContain('customer.subscription.deleted')
})

test('a trial without a card ends in an invoice that cannot be paid', async () => {
  const { advance, now, invoices } = await aTrial(ifMissing('create_invoice'))
  await advance(5 * day + 2 * hour)
  expect(await now()).toMatchObject({ status: 'past_due' })
  expect((await invoices())[0]).toMatchObject({ status: 'open', total: 1000 })
})

test('a trial without a card pauses the subscription, which resumes with a new period', async () => {
  const { stripe, subscription, customer, advance, now, invoices, types, preview } = await aTrial(
    ifMissing('pause'),
  )
  const { id } = subscription
  await advance(5 * day + hour)
  const paused = await now()
  const reason = { subscription: { type: 'trial_end_without_payment_method' } }
  expect(paused).toMatchObject({ status: 'paused', status_details: { paused: reason } })
  await expect(preview()).rejects.toMatchObject({ code: 'invoice_upcoming_none' })
  expect(await preview({ resume_at: 'now' })).toMatchObject({ total: 1000 })
  await expect(
    stripe.subscriptions.update(id, { trial_end: paused.trial_end! + week }),
  ).rejects.toThrow('You cannot set `trial_end` while a subscription is `paused`.')
  await advance(4 * week)
  expect(await invoices()).toHaveLength(1)
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await stripe.subscriptions.update(id, { default_payment_method: card.id })
  const resumed = await stripe.subscriptions.resume(id, { billing_cycle_anchor: { type: 'now' } })
  const { start, end } = periodOf(resumed)
  expect(end - start).toBe(week)
  expect(resumed).toMatchObject({ status: 'active', billing_cycle_anchor: start })
  expect(resumed).not.toHaveProperty('status_details')
  expect((await invoices())[0]).toMatchObject({ status: 'paid', total: 1000 })
  await expect(stripe.subscriptions.resume(id)).rejects.toThrow(
    'You can only resume a subscription if it is `paused`.',
  )
  expect(await types()).toEqual(
    expect.arrayContaining(['customer.subscription.paused', 'customer.subscription.resumed']),
  )
})

test('a paused subscription whose card is declined resumes unpaid, or stays paused on request', async () => {
  const { stripe, subscription, customer, advance, now, types } = await aTrial(ifMissing('pause'))
  const { id } = subscription
  await advance(5 * day + hour)
  const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer.id,
  })
  await stripe.subscriptions.update(id, { default_payment_method: bad.id })
  const waiting = await stripe.subscriptions.resume(id, {
    payment_behavior: 'resume_on_payment_success',
    expand: ['latest_invoice'],
  })
  expect(waiting).toMatchObject({ status: 'paused', latest_invoice: { status: 'open' } })
  expect(waiting.pending_update).not.toBeNull()
  const good = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await advance(hour)
  await stripe.invoices.pay(invoiceOf(waiting).id, { payment_method: good.id })
  expect(await now()).toMatchObject({ status: 'active', pending_update: null })
  expect(await types()).toContain('customer.subscription.resumed')
  const other = await aTrial(ifMissing('pause'))
  await other.advance(5 * day + hour)
  const failing = await other.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: other.customer.id,
  })
  await other.update({ default_payment_method: failing.id })
  expect(await other.stripe.subscriptions.resume(other.subscription.id)).toMatchObject({
    status: 'past_due',
  })
})

test('trial_end=now begins the first period of a trial, which is charged at once', async () => {
  const { advance, preview, update } = await aTrial({}, 'pm_card_visa')
  await advance(day)
  expect(await preview({ trial_end: 'now' })).toMatchObject({ total: 1000 })
  const begun = await update({ trial_end: 'now' })
  const { start, end } = periodOf(begun)
  expect(end - start).toBe(week)
  expect(begun).toMatchObject({ status: 'active', trial_end: start, billing_cycle_anchor: start })
  expect(invoiceOf(begun)).toMatchObject({
    status: 'paid',
    total: 1000,
    billing_reason: 'subscription_update',
  })
})

test('a trial that ends now without a card is refused, ended or paused by its settings', async () => {
  const refusing = await aTrial()
  await expect(refusing.update({ trial_end: 'now' })).rejects.toMatchObject({
    code: 'resource_missing',
    message: expect.stringContaining('no attached payment source'),
  })
  const ending = await aTrial(ifMissing('cancel'))
  expect(await ending.update({ trial_end: 'now' })).toMatchObject({ status: 'canceled' })
  const pausing = await aTrial(ifMissing('pause'))
  expect(await pausing.update({ trial_end: 'now' })).toMatchObject({ status: 'paused' })
})

test('a trial whose early end is not paid goes on until it is, if the change may wait', async () => {
  const { stripe, customer, update, now } = await aTrial({}, 'pm_card_chargeCustomerFail')
  const waiting = await update({ trial_end: 'now', payment_behavior: 'pending_if_incomplete' })
  expect(waiting).toMatchObject({
    status: 'trialing',
    pending_update: { trial_end: expect.any(Number) },
  })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await stripe.invoices.pay(invoiceOf(waiting).id, { payment_method: card.id })
  expect(await now()).toMatchObject({ status: 'active', pending_update: null })
})

test('another price during a trial costs nothing until the trial ends', async () => {
  const { item, update, advance, invoices, preview, subscription } = await aTrial(
    {},
    'pm_card_visa',
  )
  await advance(day)
  const swapped = await update({
    items: [{ id: item, price: 'price_enterprise' }],
    proration_behavior: 'always_invoice',
  })
  expect(swapped).toMatchObject({ status: 'trialing', trial_end: subscription.trial_end })
  expect(periodOf(swapped)).toEqual(periodOf(subscription))
  expect(invoiceOf(swapped)).toMatchObject({ total: 0, status: 'paid' })
  expect(await preview()).toMatchObject({ total: 3000 })
  await advance(4 * day + hour)
  expect((await invoices())[0]).toMatchObject({ total: 3000, status: 'paid' })
})

test('a trial that is canceled ends at once, or with the trial, without an invoice', async () => {
  const { stripe, subscription, update, advance, now, invoices } = await aTrial({}, 'pm_card_visa')
  const ending = await update({ cancel_at_period_end: true })
  expect(ending).toMatchObject({ status: 'trialing', cancel_at: subscription.trial_end })
  await advance(5 * day + hour)
  expect(await now()).toMatchObject({ status: 'canceled' })
  expect(await invoices()).toHaveLength(1)
  const other = await aTrial()
  expect(await other.stripe.subscriptions.cancel(other.subscription.id)).toMatchObject({
    status: 'canceled',
  })
  expect(await stripe.subscriptions.list({ status: 'trialing' })).toMatchObject({ data: [] })
})

test('a discount for one invoice waits for the first that is paid after the trial', async () => {
  const { stripe, subscription, advance, invoices, now } = await aTrial({}, 'pm_card_visa')
  await stripe.coupons.create({ id: 'HALF', percent_off: 50, duration: 'once' })
  await stripe.subscriptions.update(subscription.id, { discounts: [{ coupon: 'HALF' }] })
  await advance(5 * day + week + hour)
  expect((await invoices()).map(({ total }) => total)).toEqual([1000, 500, 0])
  expect((await now()).discounts).toEqual([])
})

test('a paid subscription that is given a trial gets credit for the rest of its period', async () => {
  const { stripe, advance, aCustomer, subscribes } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  const { id } = await subscribes(customer.id, card?.id)
  const { now } = await advance(week / 2 - 1)
  const trialing = await stripe.subscriptions.update(id, {
    trial_end: now + 10 * day,
    expand: ['latest_invoice'],
  })
  expect(trialing).toMatchObject({
    status: 'trialing',
    trial_end: now + 10 * day,
    billing_cycle_anchor: now + 10 * day,
  })
  const amounts = invoiceOf(trialing).lines.data.map(({ amount }) => amount)
  expect(amounts).toEqual([-500, 0])
})

test('trials that end in the past or are said twice are refused', async () => {
  const { subscribes, aCustomer, advance } = await aSandbox()
  const { customer } = await aCustomer()
  const { now } = await advance(1)
  const buys = (more: Params) => subscribes(customer.id, undefined, 'price_pro', more)
  await expect(buys({ trial_end: now - 1 })).rejects.toMatchObject({
    param: 'trial_end',
    message: expect.stringContaining(
      `You specified the value \`${now - 1}\` which is in the past.`,
    ),
  })
  await expect(buys({ trial_end: now + day, trial_period_days: 1 })).rejects.toMatchObject({
    param: 'trial_period_days',
  })
  await expect(buys({ trial_end: 'now' })).rejects.toMatchObject({ code: 'resource_missing' })
})

test('a preview of a new subscription in a trial is of nothing', async () => {
  const { stripe, advance } = await aSandbox()
  const { now } = await advance(1)
  const preview = await stripe.invoices.createPreview({
    subscription_details: { items: [{ price: 'price_pro' }], trial_end: now + week },
  })
  expect(preview).toMatchObject({ total: 0 })
  expect(preview.lines.data[0]?.description).toBe('Free trial for 1 × Pro')
})
