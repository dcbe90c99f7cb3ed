import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox } from '../tests/stripe/a-sandbox.ts'

test('an unknown route, id or key is refused in the error shape of Stripe', async () => {
  const { raw, sandbox } = await aSandbox()
  expect(await raw('GET', '/payouts')).toMatchObject({
    status: 404,
    body: { error: { type: 'invalid_request_error', message: 'Unrecognized request URL (GET: /v1/payouts).' } },
  })
  expect(await raw('PUT', '/customers')).toMatchObject({ status: 404, body: { error: { type: 'invalid_request_error' } } })
  expect(await raw('GET', '/customers/cus_none')).toMatchObject({ status: 404, body: { error: { code: 'resource_missing', param: 'id' } } })
  expect(await raw('GET', '/subscriptions/price_pro')).toMatchObject({ status: 404, body: { error: { code: 'resource_missing' } } })
  const stranger = new Stripe('sk_test_other', { httpClient: Stripe.createFetchHttpClient(sandbox.fetch) })
  await expect(stranger.customers.list()).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
  expect(await raw('GET', '/refunds', undefined, { authorization: '' })).toMatchObject({
    status: 401,
    body: { error: { type: 'invalid_request_error' } },
  })
  expect(await raw('GET', '/customers', undefined, { 'stripe-version': '2020-08-27' })).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request_error' } },
  })
})

test.each([
  [{ nickname: 'x' }, 'parameter_unknown', 'nickname'],
  [{ 'address[planet]': 'x' }, 'parameter_unknown', 'address[planet]'],
  [{ balance: '-500' }, 'parameter_unknown', 'balance'],
  [{ constructor: 'x' }, 'parameter_unknown', 'constructor'],
  [{ '__proto__[x]': 'x' }, 'parameter_unknown', '__proto__'],
  [{ email: 'nobody' }, 'email_invalid', 'email'],
])('a customer is not made with %o', async (form, code, param) => {
  const { raw } = await aSandbox()
  expect(await raw('POST', '/customers', form as Record<string, string>)).toMatchObject({ status: 400, body: { error: { code, param } } })
})

test('missing, empty and misshapen parameters are named', async () => {
  const { raw, aCustomer } = await aSandbox()
  const { customer } = await aCustomer()
  const subscribe = (form: Record<string, string>) =>
    raw('POST', '/subscriptions', { customer: customer.id, 'items[0][price]': 'price_pro', ...form })
  expect((await raw('POST', '/subscriptions', {})).body.error).toMatchObject({ code: 'parameter_missing' })
  expect((await subscribe({ customer: '' })).body.error).toMatchObject({ code: 'parameter_invalid_empty', param: 'customer' })
  expect((await subscribe({ 'items[0][quantity]': 'two' })).body.error).toMatchObject({
    code: 'parameter_invalid_integer',
    param: 'items[0][quantity]',
  })
  expect((await subscribe({ items: 'all' })).body.error).toMatchObject({ param: 'items' })
  expect((await raw('GET', '/invoices?limit=101')).body.error).toMatchObject({ param: 'limit' })
  expect((await raw('GET', '/invoices?starting_after=in_none')).body.error).toMatchObject({
    code: 'resource_missing',
    param: 'starting_after',
  })
  expect((await raw('GET', `/customers/${customer.id}?expand[]=friends`)).body.error).toMatchObject({
    message: 'This property cannot be expanded (friends).',
  })
  expect((await raw('GET', `/customers/${customer.id}?expand[]=email`)).body.error).toMatchObject({ param: 'expand' })
  expect((await raw('GET', '/invoices?expand[]=data.payments.data.payment.payment_intent')).body.error).toMatchObject({
    code: 'property_expansion_max_depth',
  })
})

test('payment_method_types is refused on a setup intent, as since endive', async () => {
  const { raw } = await aSandbox()
  const refused = await raw('POST', '/setup_intents', { 'payment_method_types[0]': 'card' })
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'parameter_unknown', param: 'payment_method_types' } } })
})

const good = { type: 'card', 'card[number]': '4242424242424242', 'card[exp_month]': '12', 'card[exp_year]': '2044', 'card[cvc]': '123' }
test.each([
  [{ 'card[number]': '4242424242424241' }, 'incorrect_number'],
  [{ 'card[number]': 'my card' }, 'invalid_number'],
  [{ 'card[number]': '4111111111111111' }, 'card_declined'],
  [{ 'card[exp_year]': '2020' }, 'invalid_expiry_year'],
  [{ 'card[exp_month]': '13' }, 'invalid_expiry_month'],
  [{ 'card[cvc]': '12' }, 'invalid_cvc'],
])('a card typed with %o is refused', async (typed, code) => {
  const { asBrowser } = await aSandbox()
  const refused = await asBrowser('/payment_methods', { ...good, ...(typed as Record<string, string>) })
  expect(refused).toMatchObject({ status: 402, body: { error: { type: 'card_error', code } } })
})

test('a browser may make a card and nothing that needs the secret key', async () => {
  const { asBrowser, submit, aCustomer, stripe } = await aSandbox()
  const { customer } = await aCustomer('pm_card_visa')
  expect((await asBrowser('/payment_methods', good)).body).toMatchObject({
    object: 'payment_method',
    card: { brand: 'visa', last4: '4242', exp_month: 12 },
  })
  const keyed = await submit('/sandbox/stripe/v1/payment_methods', { ...good, key: 'pk_test_sandbox' })
  expect(await keyed.json()).toMatchObject({ object: 'payment_method' })
  expect(await asBrowser('/customers', {})).toMatchObject({ status: 401, body: { error: { code: 'secret_key_required' } } })
  const withSecret = await submit('/sandbox/stripe/v1/customers', {}, { authorization: 'Bearer sk_test_sandbox' })
  expect(withSecret.status).toBe(401)
  const { id, client_secret } = await stripe.setupIntents.create({ customer: customer.id })
  expect(await asBrowser(`/setup_intents/${id}/confirm`, { payment_method: 'pm_card_visa' })).toMatchObject({
    status: 400,
    body: { error: { param: 'client_secret' } },
  })
  expect(await asBrowser(`/setup_intents/${id}/confirm`, { client_secret: 'x', payment_method: 'pm_card_visa' })).toMatchObject({
    status: 404,
  })
  expect(
    (await asBrowser(`/setup_intents/${id}/confirm`, { client_secret: client_secret ?? '', payment_method: 'pm_card_visa' })).body,
  ).not.toHaveProperty('customer')
})

test('a card stays with its customer', async () => {
  const { stripe, aCustomer } = await aSandbox()
  const { card } = await aCustomer('pm_card_visa')
  const { customer: other } = await aCustomer()
  await expect(stripe.paymentMethods.attach(card?.id ?? '', { customer: other.id })).rejects.toMatchObject({
    code: 'payment_method_unexpected_state',
  })
  await expect(stripe.customers.update(other.id, { invoice_settings: { default_payment_method: card?.id ?? '' } })).rejects.toMatchObject({
    code: 'resource_missing',
  })
  const intent = await stripe.setupIntents.create({ customer: other.id })
  await expect(stripe.setupIntents.confirm(intent.id, { payment_method: card?.id ?? '' })).rejects.toMatchObject({
    code: 'payment_method_unexpected_state',
  })
})

test('an error of our own is an api_error without its text', async () => {
  const errors: object[] = []
  const { raw, pool } = await aSandbox({ log: { info: () => undefined, error: (about) => errors.push(about) } })
  await pool.query('alter table sandbox.objects rename to gone')
  const { status, body } = await raw('GET', '/customers/cus_1')
  expect([status, body.error?.type]).toEqual([500, 'api_error'])
  expect(body.error?.message).not.toContain('relation')
  expect(errors.length).toBeGreaterThan(0)
})

test('a body of a megabyte is not read', async () => {
  const { asBrowser } = await aSandbox()
  const refused = await asBrowser('/payment_methods', { type: 'x'.repeat(1_000_000) })
  expect(refused).toMatchObject({ status: 413, body: { error: { type: 'invalid_request_error' } } })
})
