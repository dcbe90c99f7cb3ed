// @module-tag slow
import { product } from '#config/product.ts'
import { expect, onTestFinished, test } from 'vitest'
import { aWorld } from '../../tests/world.ts'

test.each([
  ['http://localhost:3000', undefined],
  ['https://localhost:3000', 'max-age=31536000'],
])(
  'with PUBLIC_URL=%s the answer of every route has the security headers',
  async (PUBLIC_URL, strictTransport) => {
    const world = await aWorld({ METRICS_TOKEN: 'a-token-that-is-not-guessed', PUBLIC_URL })
    for (const [method, path] of everyRoute(world.app.routes)) {
      const route = `${method} ${path}`
      const answer = await world.request(path, { method })
      const headers = Object.fromEntries(answer.headers)
      expect({ route, ...headers }).toMatchObject({
        route,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'permissions-policy': expect.stringContaining('camera=()'),
        'content-security-policy': expect.stringMatching(/^default-src /),
        'x-frame-options': path === '/sandbox/card' ? 'SAMEORIGIN' : 'DENY',
      })
      expect(headers['strict-transport-security'], route).toBe(strictTransport)
      await answer.body?.cancel()
    }
  },
)

test('the content security policy of answers other than pages lets them load nothing and forbids framing them', async () => {
  const world = await aWorld()
  for (const [method, path] of [
    ['POST', '/api/getUser'],
    ['GET', '/live'],
    ['POST', '/webhooks/stripe'],
    ['GET', '/healthz'],
    ['GET', '/sandbox/control.json'],
  ] as const) {
    const { headers } = await world.request(path, { method })
    expect(headers.get('content-security-policy'), path).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    )
  }
})

test('the permissions policy allows the payment API to the app, and to Stripe if Stripe’s keys are set', async () => {
  const policy = async (environment = {}) =>
    (await (await aWorld(environment)).request('/')).headers.get('permissions-policy')
  expect(await policy()).toContain('payment=(self)')
  expect(
    await policy({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }),
  ).toContain('payment=(self "https://js.stripe.com"')
})

test('with Stripe’s keys set, the content security policy allows the sources that Stripe’s security guide lists', async () => {
  const policy = async (environment = {}) => {
    const header = (await (await aWorld(environment)).request('/')).headers.get(
      'content-security-policy',
    )!
    const directives = header.split('; ').map((directive) => directive.split(' '))
    expect(header).toContain("; script-src 'self' ")
    expect(/script-src [^;]*/.exec(header)![0]).not.toContain('unsafe')
    return Object.fromEntries(
      directives.map(([name, ...sources]) => [
        name,
        sources.filter((source) => /stripe|google/.test(source)),
      ]),
    )
  }
  expect(
    await policy({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }),
  ).toMatchObject({
    'script-src': [
      'https://js.stripe.com',
      'https://*.js.stripe.com',
      'https://maps.googleapis.com',
    ],
    'connect-src': ['https://api.stripe.com', 'https://maps.googleapis.com'],
    'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  })
  expect(Object.values(await policy()).flat()).toEqual([])
})

/** Every registered route as method and path, and some that do not exist. */
function everyRoute(routes: { method: string; path: string }[]) {
  const registered = routes
    .filter(({ path }) => !path.endsWith('*'))
    .map(
      ({ method, path }) =>
        [method === 'ALL' ? 'GET' : method, path.replaceAll(/:\w+/g, 'x')] as const,
    )
  expect(registered.length).toBeGreaterThan(40)
  const nowhere = [
    '/',
    '/projects',
    '/nothing.js',
    '/dev/nothing',
    '/sandbox/nothing',
    '/metrics',
    '/webhooks',
    '/%00',
  ]
  return [
    ...registered,
    ...nowhere.map((path) => ['GET', path] as const),
    ['DELETE', '/nothing'] as const,
  ]
}

test('browsers and reporters find where to change a password and where to report a hole', async () => {
  const world = await aWorld()
  const change = await world.request('/.well-known/change-password')
  expect([change.status, change.headers.get('location')]).toEqual([302, '/change-password'])
  const { supportEmail } = product
  const text = await (await world.request('/.well-known/security.txt')).text()
  expect(text).toContain(`Contact: mailto:${supportEmail}\n`)
  const days = (Date.parse(/^Expires: (.*)$/m.exec(text)![1]!) - Date.now()) / 86_400_000
  expect(days > 1 && days < 366).toBe(true)

  Object.assign(product, { supportEmail: undefined })
  onTestFinished(() => void Object.assign(product, { supportEmail }))
  expect((await world.request('/.well-known/security.txt')).status).toBe(404)
})
