import { expect, test } from 'vitest'
import { anHttpServer } from '../../tests/http-server.ts'
import { aWorld } from '../../tests/world.ts'

const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }

async function aProvider() {
  const provider = await anHttpServer(() => ({
    status: 402,
    body: '{"error":{"type":"card_error"}}',
  }))
  const world = await aWorld({ ...keys, STRIPE_API_BASE: `http://${provider.host}` })
  const ask = (path: string, init?: RequestInit) =>
    world.request(`/sandbox/stripe/v1/${path}`, init)
  /** The requests of browsers, without the server's own request for its account. */
  const askedByBrowsers = () => provider.asked.filter(({ url }) => url !== '/v1/account')
  return { ...provider, askedByBrowsers, world, ask }
}

test('with STRIPE_API_BASE, the server passes browsers’ requests to Stripe’s API on to that address, with the publishable key', async () => {
  const { ask, askedByBrowsers } = await aProvider()
  const form = new URLSearchParams({ type: 'card', 'card[number]': '4242' })
  const answer = await ask('payment_methods', {
    method: 'POST',
    body: form,
    headers: { authorization: 'Bearer pk_test_sandbox' },
  })
  expect([answer.status, await answer.json()]).toEqual([402, { error: { type: 'card_error' } }])
  await ask('payment_intents/pi_1?client_secret=pi_1_secret_2')
  await ask('setup_intents/seti_1/confirm', {
    method: 'POST',
    body: new URLSearchParams({ client_secret: 'x' }),
  })
  const asked = askedByBrowsers()
  for (const { headers } of asked)
    expect(headers).toMatchObject({
      authorization: 'Bearer pk_test_1',
      'stripe-version': '2026-10-28.endive',
    })
  expect(asked.map(({ url, body }) => [url, body])).toEqual([
    ['/v1/payment_methods', form.toString()],
    ['/v1/payment_intents/pi_1?client_secret=pi_1_secret_2', ''],
    ['/v1/setup_intents/seti_1/confirm', 'client_secret=x'],
  ])
})

test('the server does not pass requests on to STRIPE_API_BASE if they have another path, a long body or come from another site', async () => {
  const { ask, askedByBrowsers, world } = await aProvider()
  const body = new URLSearchParams({ type: 'card' })
  for (const path of [
    'customers',
    'payment_methods/pm_1',
    'payment_intents/..%2Fcustomers',
    'payment_intents/pi_1/cancel',
  ])
    for (const init of [{}, { method: 'POST', body }])
      expect([path, (await ask(path, init)).status]).toEqual([path, 404])
  for (const path of ['/sandbox', '/sandbox/clock', '/sandbox/control.json'])
    expect((await world.request(path)).status).toBe(404)
  const long = await ask('payment_methods', {
    method: 'POST',
    body: new URLSearchParams({ type: 'x'.repeat(100_000) }),
  })
  expect([long.status, await long.json()]).toEqual([
    413,
    { error: { type: 'invalid_request_error', message: expect.any(String) } },
  ])
  const foreign: Record<string, string>[] = [
    { host: 'evil.example' },
    { origin: 'https://evil.example' },
    { 'x-forwarded-for': '203.0.113.7' },
  ]
  for (const headers of foreign)
    expect((await ask('payment_methods', { method: 'POST', body, headers })).status).toBe(403)
  expect(askedByBrowsers()).toEqual([])
})

test('when the server at STRIPE_API_BASE does not answer, browsers get an error in Stripe’s format', async () => {
  const { ask, stop } = await aProvider()
  await stop()
  const answer = await ask('payment_intents/pi_1')
  expect([answer.status, await answer.json()]).toEqual([
    502,
    { error: { type: 'api_error', message: expect.any(String) } },
  ])
})

test('with STRIPE_API_BASE the app may frame any page, and otherwise only its own pages and Stripe’s', async () => {
  const { world: elsewhere } = await aProvider()
  const frames = async ({ request }: typeof elsewhere) =>
    /frame-src ([^;]+)/.exec((await request('/')).headers.get('content-security-policy')!)![1]
  expect(await frames(elsewhere)).toBe("'self' http: https:")
  expect(await frames(await aWorld(keys))).toContain("'self' https://js.stripe.com")
  expect(await frames(await aWorld())).toBe("'self'")
})
