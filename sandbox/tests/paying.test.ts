// @module-tag slow
import { expect, test } from 'vitest'
import { aSandbox, aSubscription, day, hour, intentOf, invoiceOf, week } from './a-sandbox.ts'

/** A subscription with an unpaid second week, and a card that asks for 3-D Secure every time. */
async function aDebt() {
  const owing = await aSubscription()
  const { stripe, customer } = owing
  await owing.use('pm_card_chargeCustomerFail')
  await owing.advance(week + hour)
  const asking = await stripe.paymentMethods.attach('pm_card_authenticationRequired', {
    customer: customer.id,
  })
  const [owed] = await owing.invoices({ status: 'open' })
  const id = owed?.id ?? ''
  const pay = () => stripe.invoices.pay(id, { payment_method: asking.id, off_session: false })
  const invoice = () =>
    stripe.invoices.retrieve(id, {
      expand: ['confirmation_secret', 'payments.data.payment.payment_intent'],
    })
  const intent = async () => intentOf({ latest_invoice: await invoice() } as never)
  return { ...owing, id, pay, invoice, intent }
}

test('paying an invoice with a card that asks for 3-D Secure is refused, until the cardholder passes it in the browser', async () => {
  const { pay, invoice, intent, status, submit } = await aDebt()
  await expect(pay()).rejects.toMatchObject({
    type: 'StripeCardError',
    statusCode: 402,
    code: 'invoice_payment_intent_requires_action',
  })
  const { client_secret, next_action } = await intent()
  expect((await invoice()).confirmation_secret).toEqual({ client_secret, type: 'payment_intent' })
  await submit(next_action?.redirect_to_url?.url ?? '', {
    outcome: 'complete',
    client_secret: client_secret ?? '',
  })
  expect(await invoice()).toMatchObject({ status: 'paid', amount_paid: 1000 })
  expect(await status()).toBe('active')
})

test('passing 3-D Secure on a page that was opened before the invoice was voided pays nothing', async () => {
  const { stripe, id, pay, invoice, intent, status, submit, asBrowser } = await aDebt()
  await pay().catch(() => undefined)
  const { id: intentId, client_secret, next_action } = await intent()
  const secret = { client_secret: client_secret ?? '' }
  await stripe.invoices.voidInvoice(id)
  const answer = await submit(next_action?.redirect_to_url?.url ?? '', {
    ...secret,
    outcome: 'complete',
  })
  expect(await answer.text()).toContain('This payment was canceled')
  const late = await asBrowser(`/payment_intents/${intentId}/confirm`, {
    ...secret,
    payment_method: 'pm_card_visa',
  })
  expect(late).toMatchObject({
    status: 400,
    body: { error: { code: 'payment_intent_unexpected_state' } },
  })
  expect(await intent()).toMatchObject({ status: 'canceled', amount_received: 0 })
  expect(await invoice()).toMatchObject({ status: 'void', amount_paid: 0 })
  await expect(pay()).rejects.toMatchObject({ statusCode: 400 })
  expect(await status()).toBe('active')
})

test('a written-off invoice is no longer charged automatically, but can still be paid by a request', async () => {
  const { stripe, id, card, status, invoice, advance, events } = await aDebt()
  expect(await status()).toBe('past_due')
  expect(await stripe.invoices.markUncollectible(id)).toMatchObject({
    status: 'uncollectible',
    auto_advance: false,
  })
  expect(await status()).toBe('active')
  await expect(stripe.invoices.markUncollectible(id)).rejects.toMatchObject({ statusCode: 400 })
  await advance(4 * day)
  expect(await invoice()).toMatchObject({
    status: 'uncollectible',
    attempt_count: 1,
    next_payment_attempt: null,
  })
  expect(events().map(({ type }) => type)).toContain('invoice.marked_uncollectible')
  expect(await stripe.invoices.pay(id, { payment_method: card })).toMatchObject({ status: 'paid' })
})

test('a written-off invoice stays written off when a payment of it fails, and cannot be voided', async () => {
  const { stripe, id, status, invoice } = await aDebt()
  await stripe.invoices.markUncollectible(id)
  await expect(stripe.invoices.pay(id)).rejects.toMatchObject({ code: 'card_declined' })
  expect(await status()).toBe('active')
  await expect(stripe.invoices.voidInvoice(id)).rejects.toThrow(
    "You can only pass in open invoices. This invoice isn't open.",
  )
  await expect(stripe.invoices.markUncollectible(id)).rejects.toThrow(
    'This invoice has already been marked uncollectible.',
  )
  expect(await invoice()).toMatchObject({ status: 'uncollectible' })
})

test('credit from a canceled subscription pays for the customer’s next subscription, as its preview showed', async () => {
  const { stripe, aCustomer, subscribes, advance, balanceOf } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  const first = await subscribes(customer.id, card?.id, 'price_enterprise')
  await advance(3.5 * day)
  const canceled = await stripe.subscriptions.cancel(first.id, {
    prorate: true,
    invoice_now: true,
    cancellation_details: { comment: 'moved' },
    expand: ['latest_invoice'],
  })
  expect(canceled).toMatchObject({ status: 'canceled', cancellation_details: { comment: 'moved' } })
  expect(invoiceOf(canceled)).toMatchObject({
    status: 'paid',
    total: -1500,
    amount_due: 0,
    ending_balance: -1500,
  })
  const preview = () =>
    stripe.invoices.createPreview({
      customer: customer.id,
      subscription_details: { items: [{ price: 'price_pro' }] },
    })
  const asSaid = {
    total: 1000,
    starting_balance: -1500,
    ending_balance: -500,
    amount_due: 0,
  } as const
  expect(await preview()).toMatchObject(asSaid)
  expect(invoiceOf(await subscribes(customer.id, card?.id))).toMatchObject({
    ...asSaid,
    status: 'paid',
    amount_paid: 0,
  })
  const next = { total: 1000, starting_balance: -500, ending_balance: 0, amount_due: 500 } as const
  expect(await preview()).toMatchObject(next)
  expect(invoiceOf(await subscribes(customer.id, card?.id))).toMatchObject({
    ...next,
    status: 'paid',
    amount_paid: 500,
  })
  expect(await balanceOf(customer.id)).toBe(0)
})

test('an invoice of less than 50 cents is not charged but added to the next invoice, as its preview showed', async () => {
  const { stripe, customer, card, subscription, item, use, invoices, advance, balanceOf } =
    await aSubscription()
  const { id, items } = subscription
  await advance(week - 4 * hour)
  const change = {
    items: [{ id: item, price: 'price_enterprise' }],
    proration_behavior: 'always_invoice' as const,
  }
  const asSaid = {
    total: 47,
    starting_balance: 0,
    ending_balance: 47,
    amount_due: 0,
    amount_remaining: 0,
  } as const
  const proration_date = items.data[0]!.current_period_end - 4 * hour
  expect(
    await stripe.invoices.createPreview({
      subscription: id,
      subscription_details: { ...change, proration_date },
    }),
  ).toMatchObject(asSaid)
  await use('pm_card_chargeCustomerFail')
  const changed = await stripe.subscriptions.update(id, {
    ...change,
    proration_date,
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice.payments'],
  })
  expect(changed).toMatchObject({ status: 'active', pending_update: null })
  expect(invoiceOf(changed)).toMatchObject({
    ...asSaid,
    status: 'paid',
    amount_paid: 0,
    payments: { data: [] },
  })
  expect(await balanceOf(customer.id)).toBe(47)
  await stripe.subscriptions.update(id, { default_payment_method: card })
  await advance(6 * hour)
  const [next] = await invoices()
  expect(next).toMatchObject({
    total: 3000,
    starting_balance: 47,
    amount_due: 3047,
    amount_paid: 3047,
    ending_balance: 0,
  })
  expect(await balanceOf(customer.id)).toBe(0)
})

test('an invoice of 50 cents is charged', async () => {
  const { stripe, subscription, item, advance } = await aSubscription()
  const { id, items } = subscription
  await advance(week - 5 * hour)
  const proration_date = items.data[0]!.current_period_end - 15_120
  const change = {
    items: [{ id: item, price: 'price_enterprise' }],
    proration_behavior: 'always_invoice' as const,
    proration_date,
  }
  expect(
    invoiceOf(await stripe.subscriptions.update(id, { ...change, expand: ['latest_invoice'] })),
  ).toMatchObject({ total: 50, amount_due: 50, amount_paid: 50 })
})

test('a subscription needs no card if the customer’s credit pays for it', async () => {
  const { stripe, customer, card, subscription, subscribes, balanceOf } = await aSubscription({
    price: 'price_enterprise',
  })
  await stripe.subscriptions.cancel(subscription.id, { prorate: true, invoice_now: true })
  await stripe.paymentMethods.detach(card)
  expect(await subscribes(customer.id, undefined)).toMatchObject({ status: 'active' })
  await expect(subscribes(customer.id, undefined, 'price_enterprise')).rejects.toMatchObject({
    code: 'resource_missing',
  })
  expect(await balanceOf(customer.id)).toBe(-2000)
})

test('canceling a subscription with proration while a change is pending charges nothing for that change', async () => {
  const { stripe, customer, subscription, use, change, invoices, advance, balanceOf } =
    await aSubscription()
  await use('pm_card_authenticationRequired')
  await change('price_enterprise', 'pending_if_incomplete')
  const again = await change('price_enterprise', 'pending_if_incomplete')
  expect(again.pending_update).not.toBeNull()
  expect((await invoices({ status: 'open' })).map((each) => each.id)).toEqual([invoiceOf(again).id])
  await advance(3.5 * day)
  await stripe.subscriptions.cancel(subscription.id, { prorate: true, invoice_now: true })
  expect(await invoices({ status: 'open' })).toEqual([])
  expect(await balanceOf(customer.id)).toBe(-500)
})

test('a subscription change that is still pending when the next week begins is dropped before the renewal', async () => {
  const { now, use, change, invoices, advance } = await aSubscription()
  await advance(week - 8 * hour)
  await use('pm_card_chargeCustomerFail')
  await change('price_enterprise', 'pending_if_incomplete')
  await advance(day)
  expect(await now()).toMatchObject({ status: 'past_due', pending_update: null })
  expect((await invoices()).slice(0, 2)).toMatchObject([
    { status: 'open', total: 1000 },
    { status: 'void' },
  ])
})

test('voiding the invoice of a pending subscription change drops the change', async () => {
  const { stripe, subscription, now, use, change } = await aSubscription()
  await use('pm_card_chargeCustomerFail')
  await stripe.subscriptions.update(subscription.id, { metadata: { a: 'b' } })
  const waiting = await change('price_enterprise', 'pending_if_incomplete')
  await stripe.invoices.voidInvoice(invoiceOf(waiting).id)
  expect(await now()).toMatchObject({ status: 'active', pending_update: null })
})

test('an update of a subscription’s items changes its other settings in the same request', async () => {
  const { stripe, customer, subscription, item } = await aSubscription()
  const other = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id })
  const changed = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, price: 'price_enterprise', quantity: 1, metadata: { seats: '5' } }],
    default_payment_method: other.id,
    description: 'Bigger',
    metadata: { plan: 'enterprise' },
    off_session: true,
    payment_behavior: 'error_if_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    proration_behavior: 'always_invoice',
  })
  expect(changed).toMatchObject({
    default_payment_method: other.id,
    description: 'Bigger',
    metadata: { plan: 'enterprise' },
    items: { data: [{ metadata: { seats: '5' }, price: { id: 'price_enterprise' } }] },
  })
})

test('the API lists the lines of an invoice in pages', async () => {
  const { stripe, aCustomer, subscribes } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  const { latest_invoice } = await subscribes(customer.id, card?.id, 'price_pro', {
    items: [{ price: 'price_pro' }, { price: 'price_enterprise', quantity: 2 }],
  })
  const id = (latest_invoice as { id: string }).id
  const first = await stripe.invoices.listLineItems(id, { limit: 1 })
  expect([first.object, first.has_more, first.data[0]?.amount]).toEqual(['list', true, 1000])
  const second = await stripe.invoices.listLineItems(id, {
    limit: 1,
    starting_after: first.data[0]?.id ?? '',
  })
  expect([second.has_more, second.data[0]?.amount]).toEqual([false, 6000])
  const back = await stripe.invoices.listLineItems(id, { ending_before: second.data[0]?.id ?? '' })
  expect(back.data.map((line) => line.id)).toEqual(first.data.map((line) => line.id))
})

test('a canceled setup intent cannot be confirmed or canceled again', async () => {
  const { stripe, aCustomer, asBrowser } = await aSandbox()
  const { customer } = await aCustomer()
  const { id, client_secret } = await stripe.setupIntents.create({ customer: customer.id })
  const canceled = await stripe.setupIntents.cancel(id, { cancellation_reason: 'abandoned' })
  expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' })
  const late = await asBrowser(`/setup_intents/${id}/confirm`, {
    client_secret: client_secret ?? '',
    payment_method: 'pm_card_visa',
  })
  expect(late).toMatchObject({
    status: 400,
    body: { error: { code: 'setup_intent_unexpected_state' } },
  })
  await expect(stripe.setupIntents.cancel(id)).rejects.toMatchObject({
    code: 'setup_intent_unexpected_state',
  })
})

test('the API lists subscriptions by status and customer, in pages', async () => {
  const { stripe, aCustomer, subscribes } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  const { customer: other, card: others } = await aCustomer('pm_card_visa')
  const made = []
  for (let count = 0; count < 5; count++) made.push((await subscribes(customer.id, card?.id)).id)
  await subscribes(other.id, others?.id)
  const [ended = '', ...running] = made
  await stripe.subscriptions.cancel(ended)
  const list = async (params: object) => {
    const all = await stripe.subscriptions
      .list({ customer: customer.id, limit: 2, ...params })
      .autoPagingToArray({ limit: 100 })
    return all.map(({ id }) => id)
  }
  expect(await list({})).toEqual(running.toReversed())
  expect(await list({ status: 'all' })).toEqual(made.toReversed())
  expect(await list({ status: 'canceled' })).toEqual([ended])
  expect(await list({ status: 'active' })).toEqual(running.toReversed())
  expect(await list({ status: 'trialing' })).toEqual([])
})

test('the first invoice of a subscription can be previewed with customer details instead of a customer, but not without items', async () => {
  const { stripe, raw } = await aSandbox()
  const preview = await stripe.invoices.createPreview({
    currency: 'usd',
    customer_details: { address: { country: 'DE', postal_code: '20457' } },
    subscription_details: { items: [{ price: 'price_pro' }] },
  })
  expect(preview).toMatchObject({
    total: 1000,
    amount_due: 1000,
    customer_address: { country: 'DE' },
  })
  expect((await stripe.customers.list()).data).toEqual([])
  const items = { 'subscription_details[items][0][price]': 'price_pro' }
  expect(
    (await raw('POST', '/invoices/create_preview', { ...items, currency: 'gbp' })).status,
  ).toBe(400)
  expect(
    (await raw('POST', '/invoices/create_preview', { ...items, 'customer_details[email]': 'x' }))
      .body.error,
  ).toMatchObject({ code: 'parameter_unknown' })
  expect(
    (await raw('POST', '/invoices/create_preview', { currency: 'usd' })).body.error,
  ).toMatchObject({ message: expect.stringContaining('at least one of') })
})
