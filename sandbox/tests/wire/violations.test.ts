import { expect, test } from 'vitest'
import { validatingFetch } from './validating-fetch.ts'
import { violationsOf, type WireRequest, type WireResponse } from './violations.ts'

const headers = { authorization: 'Bearer sk_test_sandbox', 'stripe-version': '2026-10-28.endive' }
const deleted = { id: 'cus_1', object: 'customer', deleted: true }

function asked(
  method: string,
  path: string,
  form: Record<string, string> = {},
  more: Record<string, string> = {},
): WireRequest {
  const encoded = new URLSearchParams(form).toString()
  const query = method === 'POST' || !encoded ? '' : `?${encoded}`
  const url = `https://api.stripe.com/v1${path}${query}`
  return {
    method,
    url,
    headers: new Headers({ ...headers, ...more }),
    body: method === 'POST' ? encoded : '',
  }
}

function answered(body: object, status = 200): WireResponse {
  return { status, headers: new Headers({ 'request-id': 'req_1' }), body: JSON.stringify(body) }
}

/** The violations of a request whose answer is a valid Stripe error. */
function ofRequest(...request: Parameters<typeof asked>) {
  return violationsOf(
    asked(...request),
    answered({ error: { type: 'invalid_request_error', message: 'x' } }, 400),
  )
}

test.each([
  [
    'POST',
    '/customers',
    { name: 'Ann', phone: '1'.repeat(20), 'address[country]': 'US', 'metadata[0]': '7' },
  ],
  [
    'POST',
    '/customers/cus_1',
    {
      address: '',
      'invoice_settings[default_payment_method]': 'pm_1',
      'preferred_locales[0]': 'de',
    },
  ],
  [
    'GET',
    '/subscriptions',
    { status: 'all', limit: '100', 'expand[0]': 'data.latest_invoice.payments' },
  ],
  [
    'DELETE',
    '/subscriptions/sub_1',
    { prorate: 'false', invoice_now: 'true', 'cancellation_details[comment]': 'x' },
  ],
  [
    'POST',
    '/subscriptions/sub_1',
    {
      'items[0][id]': 'si_1',
      'items[0][price]': 'p',
      payment_behavior: 'pending_if_incomplete',
      'metadata[a]': 'b',
      proration_date: '7',
    },
  ],
])('the request %s %s with %o is valid at Stripe', (method, path, form) => {
  expect(ofRequest(method, path, form)).toEqual([])
})

test.each([
  ['POST', '/customers', { phone: '1'.repeat(21) }, /must be at most 20 characters/],
  ['POST', '/customers', { nickname: 'Ann' }, /must NOT have additional properties \(nickname\)/],
  ['POST', '/customers', { 'metadata[note]': 'x'.repeat(501) }, /up to 500 characters/],
  ['POST', '/customers', { 'address[planet]': 'Mars' }, /additional properties/],
  [
    'POST',
    '/setup_intents',
    { 'payment_method_types[0]': 'card' },
    /additional properties \(payment_method_types\)/,
  ],
  ['POST', '/customers/cus_1/tax_ids', { type: 'eu_vat' }, /must have required property 'value'/],
  [
    'POST',
    '/subscriptions',
    { customer: 'cus_1', payment_behavior: 'pending_if_incomplete' },
    /only when a subscription is updated/,
  ],
  ['POST', '/subscriptions/sub_1', { payment_behavior: 'as_you_like' }, /must be equal to one of/],
  [
    'POST',
    '/subscriptions/sub_1',
    { payment_behavior: 'pending_if_incomplete', description: 'x' },
    /description beside payment_behavior/,
  ],
  [
    'POST',
    '/subscriptions/sub_1',
    { payment_behavior: 'pending_if_incomplete', 'automatic_tax[enabled]': 'true' },
    /automatic_tax beside/,
  ],
  ['GET', '/invoices', { limit: 'many' }, /must be number/],
  ['GET', '/invoices/in_1', { 'expand[0]': 'a.b.c.d.e' }, /expands more than 4 levels/],
  ['GET', '/customers/cus_1/friends', {}, /no such call/],
])(
  'the request %s %s with %o is reported as invalid at Stripe',
  (method, path, form, complaint) => {
    expect(ofRequest(method, path, form as Record<string, string>).join('\n')).toMatch(complaint)
  },
)

test('a request without a secret key, with another API version or with a too long idempotency key is reported as invalid', () => {
  expect(ofRequest('GET', '/customers', {}, { authorization: '' })).toEqual([
    'GET /v1/customers: no secret key',
  ])
  expect(ofRequest('GET', '/customers', {}, { 'stripe-version': '2020-08-27' })[0]).toMatch(
    /2020-08-27/,
  )
  expect(ofRequest('POST', '/customers', {}, { 'idempotency-key': 'x'.repeat(256) })[0]).toMatch(
    /idempotency key is too long/,
  )
})

test.each([
  ['a valid answer', asked('DELETE', '/customers/cus_1'), answered(deleted), undefined],
  [
    'an answer with an unknown field',
    asked('DELETE', '/customers/cus_1'),
    answered({ ...deleted, reason: 'x' }),
    /additional properties \(reason\)/,
  ],
  [
    'an answer without a required field',
    asked('DELETE', '/customers/cus_1'),
    answered({ ...deleted, deleted: undefined }),
    /required property 'deleted'/,
  ],
  [
    'an answer that is no JSON',
    asked('DELETE', '/customers/cus_1'),
    { ...answered({}), body: '<html>' },
    /no JSON/,
  ],
  [
    'an answer without the header request-id',
    asked('DELETE', '/customers/cus_1'),
    { ...answered(deleted), headers: new Headers() },
    /no request-id/,
  ],
  ['a valid error', asked('GET', '/customers/cus_1'), missing('id'), undefined],
  [
    'an error that names the wrong parameter',
    asked('GET', '/invoices/in_1'),
    missing('id'),
    /names id, not invoice/,
  ],
  [
    'an error of the wrong type',
    asked('GET', '/customers/cus_1'),
    failed({ type: 'card_error' }),
    /card_error with HTTP 400/,
  ],
  [
    'an error with an unknown code',
    asked('GET', '/customers/cus_1'),
    failed({ code: 'oh_no' }),
    /no code of Stripe's: oh_no/,
  ],
  [
    'an error with an unknown field',
    asked('GET', '/customers/cus_1'),
    failed({ stack: 'x' }),
    /additional properties \(stack\)/,
  ],
  [
    'an error that is not in the field “error”',
    asked('GET', '/customers/cus_1'),
    answered({ message: 'x' }, 400),
    /400 without an error/,
  ],
])(
  'the check of API answers reports only those that are invalid at Stripe: %s',
  (_, request, response, complaint) => {
    const found = violationsOf(request, response).join('\n')
    if (complaint) expect(found).toMatch(complaint)
    else expect(found).toBe('')
  },
)

function failed(more: object) {
  return answered({ error: { type: 'invalid_request_error', message: 'x', ...more } }, 400)
}

function missing(param: string) {
  return answered(
    { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'x', param } },
    404,
  )
}

test('an invalid request rejects at once, and its violation is recorded', async () => {
  const violations: string[] = []
  const answer = { error: { type: 'invalid_request_error', message: 'x' } }
  const fetch = validatingFetch(
    async () => Response.json(answer, { status: 400, headers: { 'request-id': 'req_1' } }),
    violations,
  )
  const ask = (body: string) =>
    fetch('https://api.stripe.com/v1/customers', { method: 'POST', headers, body })
  expect((await ask('name=Ann')).status).toBe(400)
  await expect(ask('nickname=Ann')).rejects.toThrow('nickname')
  expect(violations).toEqual([expect.stringContaining('nickname')])
})
