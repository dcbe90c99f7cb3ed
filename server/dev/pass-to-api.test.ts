import { expect, test } from 'vitest'
import { anHttpServer } from '../../tests/http-server.ts'
import { aWorld } from '../../tests/world.ts'

const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }

async function aProvider(answer: object = { error: { type: 'card_error' } }) {
  const provider = await anHttpServer(() => ({ status: 402, body: JSON.stringify(answer) }))
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
  await ask('setup_intents/seti_1?client_secret=seti_1_secret_2')
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
    ['/v1/setup_intents/seti_1?client_secret=seti_1_secret_2', ''],
    ['/v1/setup_intents/seti_1/confirm', 'client_secret=x'],
  ])
})

test('the server does not pass requests on to STRIPE_API_BASE if they have another path, a long body or come from another site', async () => {
  const { ask, askedByBrowsers, world } = await aProvider()
  const body = new URLSearchParams({ type: 'card' })
  for (const path of [
    'customers',
    'payment_methods/pm_1',
    'setup_intents/..%2Fcustomers',
    'setup_intents/seti_1/cancel',
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
  const answer = await ask('setup_intents/seti_1')
  expect([answer.status, await answer.json()]).toEqual([
    502,
    { error: { type: 'api_error', message: expect.any(String) } },
  ])
})

test('with STRIPE_API_BASE, the server shows the card form itself and leads to the question of the bank', async () => {
  const url = 'http://localhost:4242/sandbox/authenticate/pi_1?client_secret=pi_1_secret_2'
  const { world, askedByBrowsers } = await aProvider({ next_action: { redirect_to_url: { url } } })
  expect(await (await world.request('/sandbox/card')).text()).toContain('card.number')
  expect((await world.request('/sandbox/assets/card.js')).status).toBe(200)
  const path = '/sandbox/authenticate/pi_1?client_secret=pi_1_secret_2'
  const { status, headers } = await world.request(path)
  expect([status, headers.get('location')]).toEqual([302, url])
  expect(askedByBrowsers().map((asked) => asked.url)).toEqual([
    '/v1/payment_intents/pi_1?client_secret=pi_1_secret_2',
  ])
  const { world: silent } = await aProvider()
  expect((await silent.request(path)).status).toBe(404)
})

test('with STRIPE_API_BASE the app may frame any page, and otherwise only its own pages and Stripe’s', async () => {
  const { world: elsewhere } = await aProvider()
  const frames = async ({ request }: typeof elsewhere) =>
    /frame-src ([^;]+)/.exec((await request('/')).headers.get('content-security-policy')!)![1]
  expect(await frames(elsewhere)).toBe("'self' http: https:")
  expect(await frames(await aWorld(keys))).toContain("'self' https://js.stripe.com")
  expect(await frames(await aWorld())).toBe("'self'")
})
