// @module-tag slow
import { expect, test } from 'vitest'
import { aWorld } from '../../tests/world.ts'

type Headers = Record<string, string>

const ofDevelopment = ['/dev/mail.json', '/dev/mail', '/dev/people', '/dev/chip.js']
const ofSandbox = [
  '/sandbox',
  '/sandbox/clock',
  '/sandbox/control.json',
  '/sandbox/assets/sandbox.css',
]

async function aGuardedWorld(environment: Record<string, string> = {}) {
  const world = await aWorld(environment)
  const statusesOf = async (headers: Headers, paths = [...ofDevelopment, ...ofSandbox]) => {
    const answers = await Promise.all(paths.map((path) => world.request(path, { headers })))
    return [...new Set(answers.map(({ status }) => status))]
  }
  const statusOf = async (path: string, headers: Headers, form?: string) =>
    (await world.request(path, form === undefined ? { headers } : posted(form, headers))).status
  return { world, statusesOf, statusOf }
}

test.each([
  'localhost',
  'localhost:3000',
  'LOCALHOST:8080',
  'app.localhost',
  '127.0.0.1:3000',
  '127.1.2.3',
  '[::1]:3000',
])('the mail and payment stand-ins answer under the loopback host %s', async (host) => {
  const { statusesOf } = await aGuardedWorld()
  expect(await statusesOf({ host })).toEqual([200])
})

test.each([
  'evil.example',
  'localhost.evil.example:3000',
  '127.0.0.1.nip.io',
  '192.168.1.2',
  '[::2]',
  'localhost.',
])(
  'the mail and payment stand-ins refuse requests under the host %s, which is no loopback host',
  async (host) => {
    const { world, statusesOf, statusOf } = await aGuardedWorld()
    expect(await statusesOf({ host })).toEqual([403])
    expect(await (await world.request('/dev/mail.json', { headers: { host } })).text()).toMatch(
      /^[^\n]+localhost:3000\.$/,
    )
    expect(await statusOf('/healthz', { host })).toBe(200)
  },
)

test.each([
  ['forwarded', 'for=203.0.113.7'],
  ['x-forwarded-for', '127.0.0.1'],
  ['x-forwarded-host', 'localhost'],
  ['x-forwarded-proto', 'https'],
  ['x-real-ip', '203.0.113.7'],
  ['via', '1.1 proxy'],
])(
  'the mail and payment stand-ins refuse requests through a proxy, which adds the header %s',
  async (name, value) => {
    const { statusesOf, statusOf } = await aGuardedWorld()
    expect(await statusesOf({ host: 'localhost:3000', [name]: value })).toEqual([403])
    expect(await statusOf('/healthz', { [name]: value })).toBe(200)
  },
)

test('the sandbox’s API for browsers is refused under hosts that are no loopback hosts', async () => {
  const { statusOf } = await aGuardedWorld()
  const statusUnder = (host: string) =>
    statusOf('/sandbox/stripe/v1/setup_intents/seti_1', {
      authorization: 'Bearer pk_test_sandbox',
      host,
    })
  expect(await statusUnder('evil.example')).toBe(403)
  expect(await statusUnder('localhost')).toBe(404)
})

test('with ALLOW_SANDBOX=1 the sandbox answers under the host of PUBLIC_URL and behind a proxy', async () => {
  const { statusesOf } = await aGuardedWorld({
    ALLOW_SANDBOX: '1',
    PUBLIC_URL: 'https://demo.example.com',
  })
  for (const host of ['demo.example.com', 'demo.example.com:443', '127.0.0.1:3000'])
    for (const headers of [{ host }, { host, 'x-forwarded-for': '203.0.113.7' }] as Headers[])
      expect([host, await statusesOf(headers, ofSandbox)]).toEqual([host, [200]])
  expect(await statusesOf({ host: 'evil.example' }, ofSandbox)).toEqual([403])
})

test.each<Record<string, string>>([
  { ALLOW_SANDBOX: '1' },
  { ALLOW_SANDBOX: '1', PUBLIC_URL: 'https://demo.example.com' },
  { ALLOW_SANDBOX: '1', NODE_ENV: 'production' },
  { SMTP_URL: 'smtp://localhost', ALLOW_SANDBOX: '1', NODE_ENV: 'production' },
])('with %j nothing is at /dev for anybody', async (environment) => {
  const { world, statusesOf } = await aGuardedWorld(environment)
  for (const host of ['localhost:3000', 'demo.example.com'])
    expect(await statusesOf({ host }, ofDevelopment)).toEqual([404])
  const examples = { password: 'x', people: [], expired: ['ann@example.com'] }
  const type = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers: type, body: JSON.stringify(examples) }
  expect((await world.request('/dev/examples', init)).status).toBe(404)
  expect(await (await world.request('/')).text()).not.toContain('/dev/')
})

/** The request of a form that a page posts. */
function posted(body: string, headers: Headers) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', headers: { ...type, ...headers }, body }
}

test.each<[string, Headers]>([
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['another site, by an old browser', { origin: 'https://evil.example' }],
  [
    'another program’s page on this machine',
    { origin: 'http://localhost:4000', 'sec-fetch-site': 'same-site' },
  ],
  ['a page of no origin', { origin: 'null' }],
  ['a page of no origin on another site', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['another site that says nothing of its origin', { 'sec-fetch-site': 'cross-site' }],
  [
    'a page that claims to be ours',
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ],
])('%s can’t move the sandbox’s clock or use its control page', async (_, headers) => {
  const { world, statusOf } = await aGuardedWorld()
  const settings = async () =>
    ((await (await world.request('/sandbox/control.json')).json()) as { settings: unknown })
      .settings
  const before = await settings()
  for (const [path, form] of [
    ['/sandbox/clock', 'advanceSeconds=864000'],
    ['/sandbox/control', 'charges[fail]=2'],
    ['/sandbox/stripe/v1/payment_methods', 'type=card&key=pk_test_sandbox'],
  ] as const)
    expect(await statusOf(path, headers, form)).toBe(403)
  expect(await settings()).toEqual(before)
})

test.each<[string, Headers]>([
  ['a program', {}],
  ['the sandbox’s own page', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
  ['the app', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }],
  [
    'the app under another loopback host',
    { host: '127.0.0.1:3000', origin: 'http://localhost:3000' },
  ],
])('%s can move the sandbox’s clock', async (_, headers) => {
  const { statusOf } = await aGuardedWorld()
  expect(await statusOf('/sandbox/clock', headers, 'advanceSeconds=3600')).toBe(303)
})

test('the sandbox’s 3-D Secure page, which is framed without an origin, is refused without the client secret of the payment', async () => {
  const { world, statusOf } = await aGuardedWorld()
  const framed = { origin: 'null', 'sec-fetch-site': 'cross-site' }
  expect(await statusOf('/sandbox/authenticate/pi_1', framed, 'outcome=complete')).toBe(404)
  const { headers } = await world.request('/sandbox/assets/sandbox.css')
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
})

test.each(['one.example, two.example', 'user@localhost', 'localhost/path', ''])(
  'requests to every path are refused if their Host header is %j',
  async (host) => {
    const { statusOf } = await aGuardedWorld()
    for (const path of ['/', '/healthz', '/dev/mail', '/api/getUser'])
      expect(await statusOf(path, { host })).toBe(400)
  },
)
