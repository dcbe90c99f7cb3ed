// @module-tag slow
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox, aSubscription, intentOf, invoiceOf } from './a-sandbox.ts'

test('a subscription with a working card is active and has a paid, numbered invoice', async () => {
  const { stripe, card, subscription } = await aSubscription()
  expect(subscription).toMatchObject({ status: 'active', default_payment_method: card })
  expect(invoiceOf(subscription)).toMatchObject({
    status: 'paid',
    total: 1000,
    amount_paid: 1000,
    billing_reason: 'subscription_create',
  })
  expect(invoiceOf(subscription).number).toMatch(/^[A-Z0-9]{8}-0001$/)
  const listed = await stripe.invoices.list({ subscription: subscription.id })
  expect(listed).toMatchObject({ has_more: false, data: [{ id: invoiceOf(subscription).id }] })
  expect(listed.data[0]?.lines.data[0]).toMatchObject({
    description: '1 × Pro (at $10.00 / week)',
    pricing: { price_details: { price: 'price_pro' } },
  })
})

test.each([
  ['pm_card_chargeDeclined', 'card_declined', 'generic_decline'],
  ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
  ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
])('attaching %s to a customer is refused', async (id, code, decline_code) => {
  const { stripe, aCustomer } = await aSandbox()
  const { customer } = await aCustomer()
  const refusal = await stripe.paymentMethods
    .attach(id, { customer: customer.id })
    .catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Stripe.errors.StripeCardError)
  expect(refusal).toMatchObject({ statusCode: 402, code, decline_code })
  expect((await stripe.customers.listPaymentMethods(customer.id)).data).toEqual([])
})

test('a subscription whose first charge fails is incomplete until another card pays', async () => {
  const { stripe, customer, subscription, asBrowser } = await aSubscription({
    card: 'pm_card_chargeCustomerFail',
  })
  expect(subscription).toMatchObject({ status: 'incomplete' })
  expect(intentOf(subscription)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'card_declined' },
  })
  const intent = intentOf(subscription)
  const typed = {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242 4242 4242 4242',
    'payment_method_data[card][exp_month]': '4',
    'payment_method_data[card][exp_year]': '44',
  }
  const { body } = await asBrowser(`/payment_intents/${intent.id}/confirm`, {
    client_secret: intent.client_secret ?? '',
    ...typed,
  })
  expect(body).toMatchObject({ object: 'payment_intent', status: 'succeeded' })
  const after = await stripe.subscriptions.retrieve(subscription.id, {
    expand: ['default_payment_method'],
  })
  expect(after).toMatchObject({
    status: 'active',
    default_payment_method: { card: { last4: '4242' }, customer: customer.id },
  })
})

test('confirming a payment with a card that is declined gives a card error that contains the payment intent', async () => {
  const { subscription, asBrowser } = await aSubscription({ card: 'pm_card_chargeCustomerFail' })
  const intent = intentOf(subscription)
  const confirm = {
    client_secret: intent.client_secret ?? '',
    payment_method: 'pm_card_chargeDeclined',
  }
  const { status, body } = await asBrowser(`/payment_intents/${intent.id}/confirm`, confirm)
  expect(status).toBe(402)
  expect(body.error).toMatchObject({
    type: 'card_error',
    decline_code: 'generic_decline',
    payment_intent: { id: intent.id, status: 'requires_payment_method' },
  })
  expect(body.error?.payment_intent).not.toHaveProperty('customer')
})

test('with error_if_incomplete a subscription whose charge fails is not created', async () => {
  const { stripe, aCustomer, subscribes } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_chargeCustomerFail')
  const refusal = subscribes(customer.id, card?.id, 'price_pro', {
    payment_behavior: 'error_if_incomplete',
  })
  await expect(refusal).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' })
  expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual(
    [],
  )
  expect((await stripe.invoices.list({ customer: customer.id })).data).toEqual([])
})

test('creating a subscription with a card of another customer is refused', async () => {
  const { aCustomer, subscribes } = await aSandbox()
  const { card } = await aCustomer('pm_card_visa')
  const { customer: other } = await aCustomer()
  await expect(subscribes(other.id, card?.id)).rejects.toMatchObject({
    code: 'resource_missing',
    param: 'default_payment_method',
  })
  await expect(subscribes(other.id, undefined)).rejects.toMatchObject({ code: 'resource_missing' })
  await expect(subscribes(other.id, undefined, 'price_none')).rejects.toMatchObject({
    code: 'resource_missing',
    param: 'items[0][price]',
  })
})

test('when ten requests with one idempotency key are sent at once, one creates a subscription and the others are refused while it runs', async () => {
  const { stripe, aCustomer } = await aSandbox()
  const { customer } = await aCustomer('pm_card_visa')
  const create = () =>
    stripe.subscriptions.create(
      { customer: customer.id, items: [{ price: 'price_pro' }] },
      { idempotencyKey: 'once' },
    )
  const answers = await Promise.allSettled(Array.from({ length: 10 }, create))
  const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.id] : []))
  expect(made.length).toBeGreaterThan(0)
  expect(new Set([...made, (await create()).id]).size).toBe(1)
  for (const answer of answers)
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(1)
  const other = stripe.subscriptions.create(
    { customer: customer.id, items: [{ price: 'price_enterprise' }] },
    { idempotencyKey: 'once' },
  )
  await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
  await expect(other).rejects.toThrow(
    /^Keys for idempotent requests can only be used with the same parameters/,
  )
  const elsewhere = stripe.customers.create({}, { idempotencyKey: 'once' })
  await expect(elsewhere).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
  await expect(elsewhere).rejects.toThrow(
    /same endpoint they were first used for \('\/v1\/customers' vs '\/v1\/subscriptions'\)/,
  )
})

test('a request that was declined is answered in the same way when repeated with its idempotency key, and its event names the first request', async () => {
  const { stripe, raw, subscription } = await aSubscription({ card: 'pm_card_chargeCustomerFail' })
  const path = `/invoices/${invoiceOf(subscription).id}/pay`
  const first = await raw('POST', path, {}, { 'idempotency-key': 'pay' })
  const again = await raw('POST', path, {}, { 'idempotency-key': 'pay' })
  expect([first.status, again.status]).toEqual([402, 402])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const failures = await stripe.events.list({ type: 'invoice.payment_failed' })
  expect(failures.data).toHaveLength(2)
  expect(failures.data[0]?.request).toEqual({
    id: first.headers.get('request-id'),
    idempotency_key: 'pay',
  })
})

test('two concurrent changes of a subscription are both made, one after the other', async () => {
  const { change, invoices } = await aSubscription()
  await Promise.all([change('price_enterprise'), change('price_enterprise')])
  expect((await invoices()).map(({ number }) => number?.slice(-4))).toEqual(['0002', '0001'])
})
