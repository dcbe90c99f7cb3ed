import type { Reason } from '#contract/refusals.ts'
import { expect, test } from 'vitest'
import { expectRefused } from '../../../../tests/refusal-of.ts'
import { openStripePayments } from './stripe.ts'
import type { CustomerId, ProviderSubscriptionId } from '../../../platform/ids.ts'
import type { Report } from './requests.ts'

type Answer = { status?: number; body: object } | 'nothing'

const weekly = {
  id: 'price_1',
  object: 'price',
  unit_amount: 1000,
  currency: 'usd',
  recurring: { interval: 'week', interval_count: 1 },
}
const list = (data: object[]): { status?: number; body: object } => ({
  body: { object: 'list', data, has_more: false },
})

/** A stand-in for Stripe with fixed answers. `sent` are requests, `told` calls of `onRequest`. */
function stripeSaying(answers: Record<string, Answer | Answer[]>) {
  const sent: string[] = []
  const told: Parameters<Report>[0][] = []
  async function answer(url: string, init: RequestInit) {
    const { pathname, search } = new URL(url)
    const asked = `${init.method} ${pathname}`
    sent.push(
      `${asked} ${decodeURIComponent(search || (init.body as string | undefined) || '')}`.trim(),
    )
    const isPrice = pathname.startsWith('/v1/prices/')
    const said = answers[asked] ?? (isPrice ? { body: weekly } : list([]))
    const next = Array.isArray(said) ? (said.length > 1 ? said.shift()! : said[0]!) : said
    if (next === 'nothing') throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
    return Response.json(next.body, {
      status: next.status ?? 200,
      headers: { 'request-id': 'req_of_stripe', 'stripe-should-retry': 'false' },
    })
  }
  const payments = openStripePayments({
    secretKey: 'sk_test_x',
    webhookSecret: 'whsec_x',
    prices: ['weekly'],
    fetch: answer as typeof fetch,
    onRequest: (request) => told.push(request),
  })
  return { payments, sent, told }
}

function error(status: number, body: object): Answer {
  return {
    status,
    body: { error: { type: 'invalid_request_error', message: 'As Stripe says it.', ...body } },
  }
}

const customerId = 'cus_1' as CustomerId
const subscription = 'sub_1' as ProviderSubscriptionId
const purchase = {
  subscriptionId: 'project',
  customerId,
  priceId: 'weekly',
  currency: 'usd',
  paymentMethodId: 'pm_1',
  attempt: 'one',
}
const attach = 'POST /v1/payment_methods/pm_1/attach'
const attached = {
  body: { id: 'pm_1', object: 'payment_method', type: 'card', created: 1, card: {} },
}

const inUse = { type: 'idempotency_error', code: 'idempotency_key_in_use' }
const unavailable: [string, Answer][] = [
  ['an invalid key', error(401, {})],
  ['a key without permission', error(403, { code: 'more_permissions_required' })],
  ['too many requests', error(429, { code: 'rate_limit' })],
  ['a locked object', error(429, { code: 'lock_timeout' })],
  ['the same request still running', error(409, inUse)],
  ['an internal failure', error(500, { type: 'api_error' })],
  ['a failed connection', 'nothing'],
  ['a bad gateway', { status: 502, body: { bad: 'gateway' } }],
  ['an unknown page at a proxy', { status: 404, body: {} }],
]

test.each<[string, Answer, Reason]>([
  ...unavailable.map(([why, said]): [string, Answer, Reason] => [why, said, 'paymentsUnavailable']),
  ['no such customer', error(404, { code: 'resource_missing', param: 'id' }), 'customerNotFound'],
  ['an email address', error(400, { code: 'email_invalid', param: 'email' }), 'emailRefused'],
  ['a phone number', error(400, { param: 'phone' }), 'phoneRefused'],
  ['a country', error(400, { param: 'address[country]' }), 'addressRefused'],
  ['something else', error(400, { code: 'parameter_unknown', param: 'x' }), 'paymentRejected'],
])(
  'an update of billing details is refused after this problem with Stripe: %s',
  async (_, answer, reason) => {
    const { payments } = stripeSaying({ 'POST /v1/customers/cus_1': answer })
    await expectRefused(payments.updateCustomer(customerId, { name: 'Ann' }), reason)
  },
)

test.each([
  ['belongs to another customer, or was removed from one,', error(400, {})],
  ['does not exist', error(404, { code: 'resource_missing', param: 'id' })],
])('a purchase with a card that %s is refused with paymentMethodNotFound', async (_, answer) => {
  const { payments } = stripeSaying({ [attach]: answer })
  await expectRefused(payments.startProviderSubscription(purchase), 'paymentMethodNotFound')
})

const price = { param: 'items[0][price]' }

test.each<[string, Answer, Reason]>([
  ['is missing', error(400, { code: 'resource_missing', ...price }), 'planNotForSale'],
  ['is archived', error(400, price), 'planNotForSale'],
  ['has another currency than the customer', error(400, {}), 'paymentRejected'],
])('a purchase whose Stripe price %s is refused', async (_, answer, reason) => {
  const { payments } = stripeSaying({ [attach]: attached, 'POST /v1/subscriptions': answer })
  await expectRefused(payments.startProviderSubscription(purchase), reason)
})

test('a Stripe error about the parameter payment_method means that the card does not exist', async () => {
  const missing = error(404, { code: 'resource_missing', param: 'payment_method' })
  const { payments } = stripeSaying({ 'GET /v1/payment_methods/pm_1': missing })
  expect(await payments.findCard('pm_1')).toBeUndefined()
})

test('a deleted Stripe customer has no billing details and no cards, and can’t add a card', async () => {
  const gone = error(404, { code: 'resource_missing', param: 'id' })
  const { payments } = stripeSaying({
    'GET /v1/customers/cus_1': { body: { id: 'cus_1', object: 'customer', deleted: true } },
    'GET /v1/customers/cus_1/tax_ids': gone,
    'GET /v1/customers/cus_1/payment_methods': gone,
    'POST /v1/setup_intents': error(404, { code: 'resource_missing', param: 'customer' }),
  })
  expect(await payments.findBillingDetails(customerId)).toBeUndefined()
  expect(await payments.listCards(customerId)).toEqual([])
  await expectRefused(payments.createCardSetup({ customerId, addedBy: 'ann' }), 'customerNotFound')
})

test('when Stripe says that an idempotency key was used with other parameters, the request is repeated without the key', async () => {
  const used = error(400, { type: 'idempotency_error' })
  const { payments, sent } = stripeSaying({
    'POST /v1/customers': [used, { body: { id: 'cus_2', object: 'customer' } }],
  })
  expect(await payments.createCustomer({ subscriptionId: 'project', attempt: 'one' })).toBe('cus_2')
  expect(sent).toHaveLength(2)
})

const plan = {
  id: 'sub_1',
  object: 'subscription',
  status: 'active',
  customer: {
    id: 'cus_1',
    object: 'customer',
    invoice_settings: { default_payment_method: 'pm_1' },
  },
  currency: 'usd',
  default_payment_method: 'pm_1',
  metadata: { subscriptionId: 'project' },
  discounts: [],
  pending_update: null,
  pause_collection: null,
  cancel_at: null,
  cancel_at_period_end: false,
  ended_at: null,
  latest_invoice: {
    id: 'in_2',
    object: 'invoice',
    status: 'paid',
    billing_reason: 'subscription_update',
    created: 140,
  },
  items: {
    data: [
      {
        id: 'si_1',
        price: weekly,
        current_period_start: 100,
        current_period_end: 200,
      },
    ],
  },
}
const owed = (id: string, created: number) => ({
  id,
  object: 'invoice',
  status: 'open',
  attempted: true,
  created,
  payments: { data: [{ is_default: true, payment: { payment_intent: `pi_${id}` } }] },
})
const intent = (status: string) => ({
  body: { id: 'pi', object: 'payment_intent', status, client_secret: 'pi_secret_x' },
})

test('a purchase that an earlier version of the server began is continued, not started again', async () => {
  const { payments, sent } = stripeSaying({
    [attach]: attached,
    'POST /v1/subscriptions': error(400, { type: 'idempotency_error' }),
    'GET /v1/subscriptions': list([plan]),
    'GET /v1/subscriptions/sub_1': { body: plan },
  })
  const started = await payments.startProviderSubscription(purchase)
  expect(started).toMatchObject({ id: 'sub_1', state: 'active' })
  expect(sent.filter((line) => line.startsWith('POST /v1/subscriptions '))).toHaveLength(1)
})

test('the open invoices of a subscription are charged oldest first, until a charge is declined', async () => {
  const paid = (id: string) => ({ body: { id, object: 'invoice', status: 'paid' } })
  const { payments, sent } = stripeSaying({
    'GET /v1/subscriptions/sub_1': { body: plan },
    'GET /v1/invoices': list([owed('in_3', 3), owed('in_2', 2), owed('in_1', 1)]),
    'POST /v1/invoices/in_1/pay': paid('in_1'),
    'POST /v1/invoices/in_2/pay': error(402, { type: 'card_error', code: 'card_declined' }),
  })
  await expectRefused(payments.payInvoice(subscription), 'cardDeclined')
  const tried = sent.filter((line) => line.startsWith('POST')).map((line) => line.split(' ')[1])
  expect(tried).toEqual(['/v1/invoices/in_1/pay', '/v1/invoices/in_2/pay'])
})

test('a subscription whose newest invoice is paid can have an older open invoice that needs 3-D Secure', async () => {
  const { payments, sent } = stripeSaying({
    'GET /v1/subscriptions/sub_1': { body: plan },
    'GET /v1/invoices': list([owed('in_1', 1)]),
    'GET /v1/payment_intents/pi_in_1': intent('requires_action'),
  })
  const owing = await payments.findProviderSubscription(subscription, { mayOweMore: true })
  expect(owing).toMatchObject({ payment: 'action_required', clientSecret: 'pi_secret_x' })
  sent.length = 0
  const paid = await payments.findProviderSubscription(subscription)
  expect(paid).toMatchObject({ payment: 'ok', clientSecret: undefined })
  expect(sent).toHaveLength(1)
})

test('only the default payment of an invoice counts, and while it is processing it is neither declined nor waiting for 3-D Secure', async () => {
  const payments = {
    data: [
      { is_default: false, payment: { payment_intent: 'pi_other' } },
      { is_default: true, payment: { payment_intent: 'pi_default' } },
    ],
  }
  const latest_invoice = { ...plan.latest_invoice, status: 'open', payments }
  const begun = { ...plan, status: 'incomplete', latest_invoice }
  const stripe = stripeSaying({
    'GET /v1/subscriptions/sub_1': { body: begun },
    'GET /v1/payment_intents/pi_default': intent('processing'),
  })
  expect(await stripe.payments.findProviderSubscription(subscription)).toMatchObject({
    state: 'unpaid',
    isProcessing: true,
    clientSecret: undefined,
    declineCode: undefined,
  })
})

test('a subscription shows an end that is scheduled at Stripe, and that its payment collection is paused there', async () => {
  const ending = { ...plan, cancel_at_period_end: true, pause_collection: { behavior: 'void' } }
  const { payments } = stripeSaying({ 'GET /v1/subscriptions/sub_1': { body: ending } })
  const found = await payments.findProviderSubscription(subscription)
  expect(found).toMatchObject({ ends: 200, isPaused: true })
})

test('ending a subscription at Stripe keeps its draft invoice from being charged and voids its open invoice', async () => {
  const { payments, sent } = stripeSaying({
    'GET /v1/subscriptions/sub_1': { body: { ...plan, status: 'canceled' } },
    'DELETE /v1/subscriptions/sub_1': { body: { ...plan, status: 'canceled' } },
    'GET /v1/invoices': [
      list([{ id: 'in_3', object: 'invoice', status: 'draft' }]),
      list([owed('in_2', 2)]),
    ],
    'POST /v1/invoices/in_3': { body: { id: 'in_3', object: 'invoice' } },
    'POST /v1/invoices/in_2/void': { body: { id: 'in_2', object: 'invoice' } },
  })
  await payments.endProviderSubscription(subscription)
  expect(sent).toContain('POST /v1/invoices/in_3 auto_advance=false')
  expect(sent).toContain('POST /v1/invoices/in_2/void')
})

test('in a preview, an amount that is too small to be charged does not count as used credit', async () => {
  const parent = { subscription_item_details: { proration: true } }
  const lines = { data: [{ amount: 30, period: { end: 200 }, parent }] }
  const given = { object: 'invoice', currency: 'usd', total: 30, lines, discounts: [] }
  const preview = (starting_balance: number, amount_due: number) => ({
    body: { ...given, starting_balance, amount_due },
  })
  const { payments } = stripeSaying({
    'POST /v1/invoices/create_preview': [preview(0, 0), preview(-100, 0), preview(40, 70)],
  })
  const ask = () => payments.previewStart({ customerId, priceId: 'weekly', currency: 'usd' })
  expect(await ask()).toMatchObject({ total: 30, due: 0, creditUsed: 0 })
  expect(await ask()).toMatchObject({ due: 0, creditUsed: 30 })
  const owed = [{ amount: 30 }, { kind: 'other', amount: 40 }]
  expect(await ask()).toMatchObject({ due: 70, creditUsed: 0, lines: owed })
})

test('a quote dates the change, unless a change, a week or another cost came in between', async () => {
  const { payments, sent } = stripeSaying({
    'GET /v1/subscriptions/sub_1': { body: plan },
    'POST /v1/invoices/create_preview': { body: { object: 'invoice', total: 20, amount_due: 10 } },
    'POST /v1/subscriptions/sub_1': { body: plan },
  })
  const shown = { at: 150, total: 20, due: 10 }
  const change = (wrong: Partial<typeof shown> = {}) =>
    payments.changeProviderSubscription({
      providerSubscriptionId: subscription,
      priceId: 'weekly',
      attempt: 'one',
      shown: { ...shown, ...wrong },
    })
  for (const wrong of [{ at: 99 }, { at: 139 }, { total: 21 }, { due: 11 }])
    await expectRefused(change(wrong), 'previewOutdated')
  await expectRefused(
    payments.endProviderSubscription(subscription, {
      changedTo: 'free',
      shown: { ...shown, at: 139 },
    }),
    'previewOutdated',
  )
  expect(sent.filter((line) => /^(POST|DELETE) \/v1\/subscriptions/.test(line))).toEqual([])
  await change()
  expect(sent.join()).toMatch(/POST \/v1\/subscriptions\/sub_1 [^ ]*proration_date=150/)
})

test('each request to Stripe is reported with its operation and outcome, and without ids, keys or other content', async () => {
  const { payments, told } = stripeSaying({
    'GET /v1/customers/cus_1': error(401, { message: 'Invalid API Key provided: sk_test_x' }),
    [attach]: error(402, { type: 'card_error', code: 'card_declined' }),
    'POST /v1/setup_intents': 'nothing',
  })
  await payments.listCards(customerId).catch(() => undefined)
  await payments.startProviderSubscription(purchase).catch(() => undefined)
  await payments.createCardSetup({ customerId, addedBy: 'ann' }).catch(() => undefined)
  const shown = told.map(({ operation, outcome, status, type }) =>
    [operation, outcome, status, type].join(' '),
  )
  expect([...new Set(shown)].toSorted()).toEqual([
    'GET /v1/customers/:id unauthorized 401 invalid_request_error',
    'GET /v1/customers/:id/payment_methods ok  ',
    'POST /v1/payment_methods/:id/attach declined 402 card_error',
    'POST /v1/setup_intents unavailable  TypeError',
  ])
  expect(told.find(({ status }) => status === 401)).toMatchObject({ requestId: 'req_of_stripe' })
  expect(told.find(({ type }) => type === 'TypeError')).toMatchObject({ why: 'ECONNREFUSED' })
  expect(JSON.stringify(told)).not.toMatch(/cus_1|pm_1|sk_test|ann/)
})
