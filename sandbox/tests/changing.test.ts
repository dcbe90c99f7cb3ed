// @module-tag slow
import { expect, test } from 'vitest'
import { untilAnotherWaits } from './a-database.ts'
import { aSubscription, day, hour, intentOf, invoiceOf, week } from './a-sandbox.ts'

test('a change to a more expensive price costs the difference for the rest of the week, as its preview showed', async () => {
  const { stripe, subscription, item, change, advance } = await aSubscription()
  const { now } = await advance(3.5 * day)
  const preview = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: {
      items: [{ id: item, price: 'price_enterprise' }],
      proration_behavior: 'always_invoice',
      proration_date: now,
    },
  })
  expect(preview).toMatchObject({ status: 'draft', total: 1000, amount_due: 1000 })
  expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-500, 1500])
  const changed = await change('price_enterprise')
  expect(changed).toMatchObject({
    status: 'active',
    items: { data: [{ id: item, price: { id: 'price_enterprise' } }] },
  })
  expect(invoiceOf(changed)).toMatchObject({
    status: 'paid',
    billing_reason: 'subscription_update',
    amount_paid: 1000,
  })
  expect(changed.items.data[0]?.current_period_end).toBe(
    subscription.items.data[0]?.current_period_end,
  )
})

test('half a cent in a proration is rounded up', async () => {
  const { stripe, subscription, item } = await aSubscription()
  const preview = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: {
      items: [{ id: item, price: 'price_enterprise' }],
      proration_behavior: 'always_invoice',
      proration_date: subscription.items.data[0]!.current_period_end - 303_912,
    },
  })
  expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-503, 1508])
})

test('the preview of a change without proration shows the price of the next week', async () => {
  const { stripe, subscription, item, invoices } = await aSubscription()
  const next = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: {
      items: [{ id: item, price: 'price_enterprise' }],
      proration_behavior: 'none',
    },
  })
  expect(next).toMatchObject({ total: 3000 })
  expect(await invoices()).toHaveLength(1)
})

test('a subscription change that waited for a lock while the clock moved is prorated from the time after the wait', async () => {
  const { pool, stripe, subscription, item, advance } = await aSubscription()
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query(
    `insert into sandbox.idempotency_keys (key, fingerprint, request) values ('secret waiting', '', '')`,
  )
  const changing = stripe.subscriptions.update(
    subscription.id,
    {
      items: [{ id: item, price: 'price_enterprise' }],
      proration_behavior: 'always_invoice',
      expand: ['latest_invoice'],
    },
    { idempotencyKey: 'waiting' },
  )
  await untilAnotherWaits(pool)
  const { now } = await advance(week + 2 * hour)
  await holder.query('rollback')
  holder.release()
  const { lines, created } = invoiceOf(await changing)
  expect(created).toBeGreaterThanOrEqual(now)
  expect(lines.data.map(({ period }) => period.start)).toEqual([created, created])
})

test('a change to a cheaper price gives the customer credit, which pays the next invoices', async () => {
  const { customer, invoices, change, advance, balanceOf } = await aSubscription({
    price: 'price_enterprise',
  })
  const { lines } = invoiceOf(await change('price_pro'))
  expect(lines.data.map(({ amount }) => amount)).toEqual([-3000, 1000])
  expect(await balanceOf(customer.id)).toBe(-2000)
  await advance(week + hour)
  const [renewal] = await invoices()
  expect(renewal).toMatchObject({
    status: 'paid',
    total: 1000,
    amount_due: 0,
    starting_balance: -2000,
    ending_balance: -1000,
  })
  expect(await balanceOf(customer.id)).toBe(-1000)
})

test('a subscription change whose payment is declined changes nothing', async () => {
  const { invoices, change, use, now } = await aSubscription()
  await use('pm_card_chargeCustomerFail')
  await expect(change('price_enterprise')).rejects.toMatchObject({
    statusCode: 402,
    code: 'card_declined',
  })
  expect(await now()).toMatchObject({
    status: 'active',
    items: { data: [{ price: { id: 'price_pro' } }] },
  })
  expect(await invoices()).toHaveLength(1)
})

test('a subscription change with pending_if_incomplete waits for 3-D Secure and takes effect once the cardholder passes it', async () => {
  const { use, change, submit, now, events, advance } = await aSubscription()
  await use('pm_card_authenticationRequired')
  await expect(change('price_enterprise')).rejects.toMatchObject({
    code: 'subscription_payment_intent_requires_action',
  })
  const waiting = await change('price_enterprise', 'pending_if_incomplete')
  expect(waiting).toMatchObject({
    status: 'active',
    items: { data: [{ price: { id: 'price_pro' } }] },
  })
  expect(waiting.pending_update?.subscription_items).toMatchObject([
    { price: { id: 'price_enterprise' } },
  ])
  const intent = intentOf(waiting)
  await submit(intent.next_action?.redirect_to_url?.url ?? '', {
    outcome: 'complete',
    client_secret: intent.client_secret ?? '',
  })
  expect(await now()).toMatchObject({
    pending_update: null,
    items: { data: [{ price: { id: 'price_enterprise' } }] },
  })
  await advance(1)
  expect(events().map(({ type }) => type)).toContain('customer.subscription.pending_update_applied')
})

test('with pending_if_incomplete an update accepts only the parameters that Stripe lists, and new metadata waits for the payment too', async () => {
  const { stripe, subscription, card, item, raw, use, now } = await aSubscription()
  const pending = {
    'items[0][id]': item,
    'items[0][price]': 'price_enterprise',
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  }
  const change = (more: Record<string, string>) =>
    raw('POST', `/subscriptions/${subscription.id}`, { ...pending, ...more })
  for (const [name, value] of [
    ['description', 'x'],
    ['default_payment_method', 'pm_x'],
    ['off_session', 'true'],
    ['items[0][deleted]', 'true'],
  ] as const)
    expect(await change({ [name]: value })).toMatchObject({
      status: 400,
      body: { error: { param: name } },
    })
  await use('pm_card_chargeCustomerFail')
  expect(
    await change({ 'metadata[reason]': 'growth', cancel_at_period_end: 'true' }),
  ).toMatchObject({
    status: 200,
    body: {
      metadata: {},
      cancel_at_period_end: false,
      pending_update: { metadata: { reason: 'growth' }, cancel_at_period_end: true },
    },
  })
  const { latest_invoice } = await now()
  await stripe.invoices.pay(latest_invoice as string, { payment_method: card })
  expect(await now()).toMatchObject({
    metadata: { reason: 'growth' },
    cancel_at_period_end: true,
    items: { data: [{ price: { id: 'price_enterprise' } }] },
  })
})

test('a pending subscription change that is not paid within 23 hours is dropped', async () => {
  const { stripe, subscription, change, use, now, advance, events } = await aSubscription()
  await use('pm_card_chargeCustomerFail')
  const waiting = await change('price_enterprise', 'pending_if_incomplete')
  await advance(23 * hour)
  expect(await now()).toMatchObject({
    status: 'active',
    pending_update: null,
    items: { data: [{ price: { id: 'price_pro' } }] },
  })
  expect(await stripe.invoices.retrieve(invoiceOf(waiting).id ?? '')).toMatchObject({
    status: 'void',
  })
  expect(events().map(({ type }) => type)).toEqual(
    expect.arrayContaining(['customer.subscription.pending_update_expired', 'invoice.voided']),
  )
  expect(subscription.id).toBe((await now()).id)
})

test('canceling a subscription ends it at once, without a refund or credit', async () => {
  const { stripe, customer, subscription, now, events, advance, balanceOf } = await aSubscription()
  const canceled = await stripe.subscriptions.cancel(subscription.id, {
    prorate: false,
    invoice_now: false,
  })
  expect(canceled).toMatchObject({
    status: 'canceled',
    cancellation_details: { reason: 'cancellation_requested' },
  })
  expect(await balanceOf(customer.id)).toBe(0)
  await expect(stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  })
  await advance(3 * week)
  expect((await stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1)
  expect(events().map(({ type }) => type)).toContain('customer.subscription.deleted')
  expect(await now()).toMatchObject({ status: 'canceled' })
})

test('canceling a subscription with proration credits the unused rest of the week', async () => {
  const { stripe, customer, subscription, advance, balanceOf } = await aSubscription()
  await advance(3.5 * day)
  await stripe.subscriptions.cancel(subscription.id, { prorate: true, invoice_now: true })
  expect(await balanceOf(customer.id)).toBe(-500)
})

test('a balance that is set for a customer pays the next invoices, as credit of invoices does', async () => {
  const { stripe, customer, invoices, advance, balanceOf } = await aSubscription()
  expect(await stripe.customers.update(customer.id, { balance: -300 })).toMatchObject({
    balance: -300,
  })
  await advance(week + 2 * hour)
  const [next] = await invoices()
  expect(next).toMatchObject({ total: 1000, starting_balance: -300, amount_paid: 700 })
  expect(await balanceOf(customer.id)).toBe(0)
})

test('a card that is detached from its customer no longer pays for subscriptions', async () => {
  const { stripe, customer, card, now, advance } = await aSubscription()
  await stripe.paymentMethods.detach(card)
  expect(await now()).toMatchObject({ default_payment_method: null })
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({
    invoice_settings: { default_payment_method: null },
  })
  await advance(week + hour)
  expect(await now()).toMatchObject({ status: 'past_due' })
})

test('deleting a customer ends its subscriptions and detaches its cards', async () => {
  const { stripe, customer, card, now } = await aSubscription()
  expect(await stripe.customers.del(customer.id)).toEqual(
    expect.objectContaining({ object: 'customer', id: customer.id, deleted: true }),
  )
  expect(await now()).toMatchObject({ status: 'canceled' })
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true })
  await expect(stripe.customers.update(customer.id, { name: 'Bob' })).rejects.toMatchObject({
    code: 'resource_missing',
  })
  expect(await stripe.paymentMethods.retrieve(card)).toMatchObject({ customer: null })
})

test('a voided invoice is no longer owed, and its open payment cannot be completed', async () => {
  const { stripe, invoices, change, use, now, asBrowser } = await aSubscription()
  await use('pm_card_chargeCustomerFail')
  const unpaid = await change('price_enterprise', 'allow_incomplete')
  expect(unpaid).toMatchObject({ status: 'past_due' })
  expect(await stripe.invoices.voidInvoice(invoiceOf(unpaid).id ?? '')).toMatchObject({
    status: 'void',
  })
  const { id, client_secret } = intentOf(unpaid)
  const late = await asBrowser(`/payment_intents/${id}/confirm`, {
    client_secret: client_secret ?? '',
    payment_method: 'pm_card_visa',
  })
  expect(late).toMatchObject({
    status: 400,
    body: { error: { code: 'payment_intent_unexpected_state' } },
  })
  expect(await invoices({ status: 'void' })).toHaveLength(1)
  expect(await now()).toMatchObject({ status: 'active' })
})
