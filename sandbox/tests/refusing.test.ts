// @module-tag slow
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { aSandbox, aSubscription } from './a-sandbox.ts'

const invalid = { type: 'invalid_request_error' }
const unrecognized = 'Unrecognized request URL (GET: /v1/payouts).'

test.each<[string, string, number, object, Record<string, string>?]>([
  ['GET', '/payouts', 404, { ...invalid, message: unrecognized }],
  ['PUT', '/customers', 404, invalid],
  ['GET', '/customers/cus_none', 404, { code: 'resource_missing', param: 'id' }],
  ['GET', '/subscriptions/price_pro', 404, { code: 'resource_missing' }],
  ['GET', '/refunds', 401, invalid, { authorization: '' }],
  ['GET', '/customers', 400, invalid, { 'stripe-version': '2020-08-27' }],
])(
  'the request %s %s is refused with status %d and an error in Stripe’s format',
  async (method, path, status, error, headers) => {
    const { raw } = await aSandbox()
    expect(await raw(method, path, undefined, headers)).toMatchObject({ status, body: { error } })
  },
)

test('a live key is refused with the SDK’s error for wrong keys', async () => {
  const { sandbox } = await aSandbox()
  const httpClient = Stripe.createFetchHttpClient(sandbox.fetch)
  const stranger = new Stripe('sk_live_other', { httpClient })
  await expect(stranger.customers.list()).rejects.toBeInstanceOf(
    Stripe.errors.StripeAuthenticationError,
  )
})

test.each([
  [{ nickname: 'x' }, 'parameter_unknown', 'nickname'],
  [{ 'address[planet]': 'x' }, 'parameter_unknown', 'address[planet]'],
  [{ cash_balance: '-500' }, 'parameter_unknown', 'cash_balance'],
  [{ constructor: 'x' }, 'parameter_unknown', 'constructor'],
  [{ '__proto__[x]': 'x' }, 'parameter_unknown', '__proto__'],
  [{ email: 'nobody' }, 'email_invalid', 'email'],
])('a customer with %o is refused', async (form, code, param) => {
  const { raw } = await aSandbox()
  expect(await raw('POST', '/customers', form as Record<string, string>)).toMatchObject({
    status: 400,
    body: { error: { code, param } },
  })
})

test('an error names the parameter that is missing, empty or malformed', async () => {
  const { raw, aCustomer } = await aSandbox()
  const { customer } = await aCustomer()
  const errorOf = async (path: string, form?: Record<string, string>) =>
    (await raw(form ? 'POST' : 'GET', path, form)).body.error
  const subscribe = (form: Record<string, string>) =>
    errorOf('/subscriptions', {
      customer: customer.id,
      'items[0][price]': 'price_pro',
      ...form,
    })
  const wrongNumber = { code: 'parameter_invalid_integer', param: 'items[0][quantity]' }
  const notThere = { code: 'resource_missing', param: 'starting_after' }
  const notExpanded = { message: 'This property cannot be expanded (friends).' }
  const tooDeep = 'expand[]=data.payments.data.payment.payment_intent'
  for (const [error, expected] of [
    [await errorOf('/subscriptions', {}), { code: 'parameter_missing' }],
    [await subscribe({ customer: '' }), { code: 'parameter_invalid_empty', param: 'customer' }],
    [await subscribe({ 'items[0][quantity]': 'two' }), wrongNumber],
    [await subscribe({ items: 'all' }), { param: 'items' }],
    [await errorOf('/invoices?limit=101'), { param: 'limit' }],
    [await errorOf('/invoices?starting_after=in_none'), notThere],
    [await errorOf(`/customers/${customer.id}?expand[]=friends`), notExpanded],
    [await errorOf(`/customers/${customer.id}?expand[]=email`), { param: 'expand' }],
    [await errorOf(`/invoices?${tooDeep}`), { code: 'property_expansion_max_depth' }],
  ] as const)
    expect(error).toMatchObject(expected)
})

test('a setup intent refuses the parameter payment_method_types, as Stripe does since its API version endive', async () => {
  const { raw } = await aSandbox()
  const refused = await raw('POST', '/setup_intents', { 'payment_method_types[0]': 'card' })
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { code: 'parameter_unknown', param: 'payment_method_types' } },
  })
})

const good = {
  type: 'card',
  'card[number]': '4242424242424242',
  'card[exp_month]': '12',
  'card[exp_year]': '2044',
  'card[cvc]': '123',
}
test.each([
  [{ 'card[number]': '4242424242424241' }, 'incorrect_number'],
  [{ 'card[number]': 'my card' }, 'invalid_number'],
  [{ 'card[number]': '4111111111111111' }, 'card_declined'],
  [{ 'card[exp_year]': '2020' }, 'invalid_expiry_year'],
  [{ 'card[exp_month]': '13' }, 'invalid_expiry_month'],
  [{ 'card[cvc]': '12' }, 'invalid_cvc'],
])('a card typed with %o is refused', async (typed, code) => {
  const { asBrowser } = await aSandbox()
  const refused = await asBrowser('/payment_methods', {
    ...good,
    ...(typed as Record<string, string>),
  })
  expect(refused).toMatchObject({ status: 402, body: { error: { type: 'card_error', code } } })
})

test('a browser can create a card with a publishable key, but can’t make calls that need a secret key', async () => {
  const { asBrowser, submit, aCustomer, stripe } = await aSandbox()
  const { customer } = await aCustomer('pm_card_visa')
  expect((await asBrowser('/payment_methods', good)).body).toMatchObject({
    object: 'payment_method',
    card: { brand: 'visa', last4: '4242', exp_month: 12 },
  })
  const withKey = { ...good, key: 'pk_test_sandbox' }
  const keyed = await submit('/sandbox/stripe/v1/payment_methods', withKey)
  expect(await keyed.json()).toMatchObject({ object: 'payment_method' })
  expect(await asBrowser('/customers', {})).toMatchObject({
    status: 401,
    body: { error: { code: 'secret_key_required' } },
  })
  const secretKey = { authorization: 'Bearer sk_test_sandbox' }
  expect((await submit('/sandbox/stripe/v1/customers', {}, secretKey)).status).toBe(401)
  const { id, client_secret } = await stripe.setupIntents.create({ customer: customer.id })
  const confirm = (secret: Record<string, string>) =>
    asBrowser(`/setup_intents/${id}/confirm`, { payment_method: 'pm_card_visa', ...secret })
  expect(await confirm({})).toMatchObject({
    status: 400,
    body: { error: { param: 'client_secret' } },
  })
  expect(await confirm({ client_secret: 'x' })).toMatchObject({ status: 404 })
  const { body } = await confirm({ client_secret: client_secret ?? '' })
  expect(body).not.toHaveProperty('customer')
})

test.each(['sk_test_51Abc', 'rk_test_51Abc'])(
  'the API accepts any test key, such as %s',
  async (key) => {
    const { raw } = await aSandbox()
    expect(
      (await raw('GET', '/customers', undefined, { authorization: `Bearer ${key}` })).status,
    ).toBe(200)
  },
)

test.each(['sk_live_51Abc', 'sk_test_', 'key'])('the API refuses the key %s', async (key) => {
  const { raw } = await aSandbox()
  expect(
    (await raw('GET', '/customers', undefined, { authorization: `Bearer ${key}` })).status,
  ).toBe(401)
})

test('with a publishable key the API accepts only the calls that browsers make', async () => {
  const { raw } = await aSandbox()
  const headers = { authorization: 'Bearer pk_test_51Abc' }
  expect(await raw('POST', '/payment_methods', good, headers)).toMatchObject({
    status: 200,
    body: { object: 'payment_method' },
  })
  expect(await raw('GET', '/customers', undefined, headers)).toMatchObject({
    status: 401,
    body: { error: { code: 'secret_key_required' } },
  })
})

test.each([
  ['pm_card_visa_chargeDeclinedLostCard', 'lost_card'],
  ['pm_card_visa_chargeDeclinedStolenCard', 'stolen_card'],
  ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_velocity_exceeded'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
  ['pm_card_chargeDeclinedProcessingError', 'processing_error'],
])('attaching %s to a customer is declined with %s', async (card, decline_code) => {
  const { aCustomer } = await aSandbox()
  await expect(aCustomer(card)).rejects.toMatchObject({ type: 'StripeCardError', decline_code })
})

test.each([
  ['pm_card_discover', 'discover', '1117'],
  ['pm_card_diners', 'diners', '0004'],
  ['pm_card_jcb', 'jcb', '0505'],
  ['pm_card_unionpay', 'unionpay', '0005'],
  ['pm_card_mastercard_debit', 'mastercard', '8210'],
  ['pm_card_amex', 'amex', '0005'],
])('a subscription can be paid with %s', async (id, brand, last4) => {
  const { aCustomer, subscribes } = await aSandbox()
  const { customer, card } = await aCustomer(id)
  expect(card?.card).toMatchObject({ brand, last4 })
  expect((await subscribes(customer.id, card?.id)).status).toBe('active')
})

test('a card cannot be attached to a second customer', async () => {
  const { stripe, aCustomer } = await aSandbox()
  const { card } = await aCustomer('pm_card_visa')
  const { customer: other } = await aCustomer()
  await expect(
    stripe.paymentMethods.attach(card?.id ?? '', { customer: other.id }),
  ).rejects.toMatchObject({
    message: 'The payment method you provided has already been attached to a customer.',
    code: undefined,
    param: 'payment_method',
  })
  await expect(
    stripe.customers.update(other.id, {
      invoice_settings: { default_payment_method: card?.id ?? '' },
    }),
  ).rejects.toMatchObject({ code: 'resource_missing' })
  const intent = await stripe.setupIntents.create({ customer: other.id })
  await expect(
    stripe.setupIntents.confirm(intent.id, { payment_method: card?.id ?? '' }),
  ).rejects.toThrow('already been attached')
})

test('a detached card cannot be used again', async () => {
  const { stripe, raw, aCustomer } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  await stripe.paymentMethods.detach(card?.id ?? '')
  const { body, status } = await raw('POST', `/payment_methods/${card?.id}/attach`, {
    customer: customer.id,
  })
  expect(status).toBe(400)
  expect(body.error).toEqual({
    type: 'invalid_request_error',
    message: expect.stringMatching(/It may not be used again/) as string,
  })
  const intent = await stripe.setupIntents.create({ customer: customer.id })
  await expect(
    stripe.setupIntents.confirm(intent.id, { payment_method: card?.id ?? '' }),
  ).rejects.toThrow('may not be used again')
})

test.each([
  ['phone', 'customers', { phone: '1'.repeat(20) }, { phone: '+1 (217) 555-0100 ext. 12' }, 20],
  ['name', 'customers', { name: '名'.repeat(256) }, { name: '名'.repeat(257) }, 256],
  [
    'email',
    'customers',
    { email: `${'x'.repeat(500)}@example.com` },
    { email: `${'x'.repeat(501)}@example.com` },
    512,
  ],
  [
    'address[line1]',
    'customers',
    { 'address[line1]': 'x'.repeat(5000) },
    { 'address[line1]': 'x'.repeat(5001) },
    5000,
  ],
  [
    'lookup_key',
    'prices',
    undefined,
    {
      product: 'prod_pro',
      currency: 'usd',
      unit_amount: '1',
      'recurring[interval]': 'week',
      lookup_key: 'x'.repeat(201),
    },
    200,
  ],
])(
  'a value of the parameter %s of %s that is too long is refused',
  async (param, resource, fits, tooLong, most) => {
    const { raw } = await aSandbox()
    if (fits)
      expect((await raw('POST', `/${resource}`, fits as Record<string, string>)).status).toBe(200)
    const { status, body } = await raw('POST', `/${resource}`, tooLong as Record<string, string>)
    expect(status).toBe(400)
    expect(body.error).toEqual({
      type: 'invalid_request_error',
      message: expect.stringMatching(
        new RegExp(`^Invalid string: .{10}\\.{3}.{10}; must be at most ${most} characters$`),
      ) as string,
      param,
    })
  },
)

test('metadata has at most 50 keys of 40 characters with values of 500', async () => {
  const { raw } = await aSandbox()
  const noted = async (metadata: Record<string, string>) =>
    raw(
      'POST',
      '/customers',
      Object.fromEntries(
        Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value]),
      ),
    )
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, 'x']))
  expect((await noted({ ...keys(49), ['k'.repeat(40)]: 'v'.repeat(500) })).status).toBe(200)
  expect((await noted(keys(51))).body.error).toMatchObject({
    message: "Metadata can have up to 50 keys, but you've set 51.",
    param: 'metadata',
  })
  expect((await noted({ ['k'.repeat(41)]: 'x' })).body.error?.message).toContain(
    'up to 40 characters',
  )
  expect((await noted({ key: 'v'.repeat(501) })).body.error?.message).toContain(
    'up to 500 characters',
  )
})

test.each([
  [
    'GET',
    '/payment_methods/pm_none',
    {},
    404,
    'payment_method',
    "No such PaymentMethod: 'pm_none'",
  ],
  [
    'POST',
    '/payment_methods/pm_none/attach',
    { customer: 'OURS' },
    404,
    'payment_method',
    "No such PaymentMethod: 'pm_none'",
  ],
  [
    'POST',
    '/payment_methods/pm_card_visa/attach',
    { customer: 'cus_none' },
    400,
    'customer',
    "No such customer: 'cus_none'",
  ],
  ['GET', '/invoices/in_none', {}, 404, 'invoice', "No such invoice: 'in_none'"],
  ['POST', '/invoices/in_none/pay', {}, 404, 'id', "No such invoice: 'in_none'"],
  ['POST', '/invoices/in_none/void', {}, 404, 'id', "No such invoice: 'in_none'"],
  ['POST', '/invoices/in_none/mark_uncollectible', {}, 404, 'id', "No such invoice: 'in_none'"],
  ['GET', '/subscriptions/sub_none', {}, 404, 'id', "No such subscription: 'sub_none'"],
  [
    'POST',
    '/subscriptions',
    { customer: 'OURS', 'items[0][price]': 'price_none' },
    400,
    'items[0][price]',
    "No such price: 'price_none'",
  ],
  ['POST', '/customers/GONE', { name: 'Ann' }, 404, 'id', "No such customer: 'GONE'"],
  ['DELETE', '/customers/GONE', undefined, 404, 'id', "No such customer: 'GONE'"],
  [
    'POST',
    '/subscriptions',
    { customer: 'GONE', 'items[0][price]': 'price_pro' },
    400,
    'customer',
    "No such customer: 'GONE'",
  ],
  ['GET', '/setup_intents/seti_none', undefined, 404, 'intent', "No such setupintent: 'seti_none'"],
] as const)(
  '%s %s with %o about a missing object is refused with status %d and the parameter %s',
  async (method, path, form, status, param, message) => {
    const { raw, stripe, aCustomer } = await aSandbox()
    const { customer } = await aCustomer()
    const { customer: gone } = await aCustomer()
    await stripe.customers.del(gone.id)
    const ids = (text: string) => text.replace('OURS', customer.id).replace('GONE', gone.id)
    const given =
      form && Object.fromEntries(Object.entries(form).map(([name, value]) => [name, ids(value)]))
    const refused = await raw(method, ids(path), method === 'GET' ? undefined : given)
    expect(refused).toMatchObject({
      status,
      body: { error: { code: 'resource_missing', message: ids(message), param } },
    })
  },
)

test('a request for a deleted customer returns that it is deleted', async () => {
  const { stripe, aCustomer } = await aSandbox()
  const { customer } = await aCustomer('pm_card_visa')
  await stripe.customers.del(customer.id)
  expect(await stripe.customers.retrieve(customer.id)).toEqual({
    id: customer.id,
    object: 'customer',
    deleted: true,
  })
})

test('a request with a parameter of another call or an unknown value is refused, and the error lists the allowed values', async () => {
  const { raw, aCustomer } = await aSandbox()
  const { customer } = await aCustomer('pm_card_visa')
  const subscribe = (more: Record<string, string>) =>
    raw('POST', '/subscriptions', {
      customer: customer.id,
      'items[0][price]': 'price_pro',
      ...more,
    })
  expect((await subscribe({ payment_behavior: 'pending_if_incomplete' })).body.error).toEqual({
    type: 'invalid_request_error',
    message:
      'Invalid payment_behavior: must be one of allow_incomplete, default_incomplete, or error_if_incomplete',
    param: 'payment_behavior',
  })
  expect((await subscribe({ cancel_now: 'true', prorate: 'true' })).body.error).toMatchObject({
    message: 'Received unknown parameters: cancel_now, prorate',
    code: 'parameter_unknown',
    param: 'cancel_now',
  })
})

test('an update of a customer’s address keeps the parts that are not given', async () => {
  const { stripe, aCustomer } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  const moved = await stripe.customers.update(customer.id, {
    address: { line1: '1 Main Street', city: '' },
  })
  expect(moved.address).toEqual({
    line1: '1 Main Street',
    line2: null,
    city: null,
    state: null,
    postal_code: null,
    country: 'US',
  })
  expect((await stripe.customers.update(customer.id, { address: '' })).address).toBeNull()
  const known = (details: object) =>
    stripe.paymentMethods.update(card?.id ?? '', { billing_details: details })
  await known({ address: { city: 'Boston', country: 'US' } })
  expect((await known({ address: { city: 'Salem' } })).billing_details.address).toMatchObject({
    city: 'Salem',
    country: 'US',
  })
})

test('an update of an ended subscription can change only its cancellation details and metadata', async () => {
  const { stripe, subscription } = await aSubscription()
  const { id } = subscription
  await stripe.subscriptions.cancel(id)
  await expect(stripe.subscriptions.update(id, { description: 'x' })).rejects.toMatchObject({
    statusCode: 400,
    code: 'invalid_canceled_subscription_fields',
  })
  expect(await stripe.subscriptions.update(id, { metadata: { noted: 'yes' } })).toMatchObject({
    metadata: { noted: 'yes' },
  })
})

test.each([
  [401, Stripe.errors.StripeAuthenticationError, undefined],
  ['expired', Stripe.errors.StripeAuthenticationError, 'api_key_expired'],
  [403, Stripe.errors.StripePermissionError, undefined],
  [409, Stripe.errors.StripeAPIError, 'idempotency_key_in_use'],
  [429, Stripe.errors.StripeRateLimitError, 'rate_limit'],
  ['locked', Stripe.errors.StripeRateLimitError, 'lock_timeout'],
] as const)(
  'with the fault %s in the control settings, every API call fails with Stripe’s error for it',
  async (fault, kind, code) => {
    const { stripe, control } = await aSandbox()
    await control({ api: { fault } })
    const error = await stripe.customers.list().catch((refused: unknown) => refused)
    expect(error).toBeInstanceOf(kind)
    expect(error).toMatchObject({ code })
    await control({ reset: true })
    expect(await stripe.customers.list()).toMatchObject({ object: 'list' })
  },
)

test('the SDK retries a request for a locked object', async () => {
  const { sandbox, control } = await aSandbox()
  const stripe = new Stripe('sk_test_sandbox', {
    httpClient: Stripe.createFetchHttpClient(sandbox.fetch),
    maxNetworkRetries: 1,
  })
  await control({ api: { fault: 'locked', times: 1 } })
  expect(await stripe.customers.list()).toMatchObject({ object: 'list' })
})

test('an internal error is answered with an api_error that does not contain the error’s text', async () => {
  const errors: object[] = []
  const { raw, pool } = await aSandbox({
    log: { info: () => undefined, error: (about) => errors.push(about) },
  })
  await pool.query('alter table sandbox.objects rename to gone')
  const { status, body } = await raw('GET', '/customers/cus_1')
  expect([status, body.error?.type]).toEqual([500, 'api_error'])
  expect(body.error?.message).not.toContain('relation')
  expect(errors.length).toBeGreaterThan(0)
})

test('a request with a body of one megabyte is refused', async () => {
  const { asBrowser } = await aSandbox()
  const refused = await asBrowser('/payment_methods', { type: 'x'.repeat(1_000_000) })
  expect(refused).toMatchObject({ status: 413, body: { error: { type: 'invalid_request_error' } } })
})
