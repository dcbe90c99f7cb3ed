import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsTo } from '../person.ts'
import { aFolder, aServer, aStarted, whyNot } from './a-server.ts'

test('the admin command works while a server runs, and while none runs', async () => {
  const env = { DATA_DIR: await aFolder() }
  const server = await aStarted({ env })
  const shown = {
    code: 0,
    stdout: '{"said":"No job waits, and none has failed.","counts":[],"jobs":[],"events":[]}\n',
    stderr: '',
  }
  const args = ['operate/commands/admin.ts', 'jobs', '--json']
  expect(await (await aServer({ args, env })).ended).toEqual(shown)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  server.child.kill()
  await server.ended
  expect(await (await aServer({ args, env })).ended).toEqual(shown)
  await aStarted({ env })
})

test('the migrate command works while a server runs, and while none runs', async () => {
  const env = { DATA_DIR: await aFolder() }
  const server = await aStarted({ env })
  const stdout = expect.stringMatching(/^The database is up to date: schema \d{4}\.\n$/)
  const shown = { code: 0, stdout, stderr: '' }
  const args = ['operate/commands/migrate.ts']
  expect(await (await aServer({ args, env })).ended).toEqual(shown)
  server.child.kill()
  await server.ended
  expect(await (await aServer({ args, env })).ended).toEqual(shown)
})

test('with --json the admin command prints one JSON value when it fails, too', async () => {
  const env = { DATA_DIR: await aFolder() }
  await aStarted({ env })
  const args = ['operate/commands/admin.ts', 'cancel', 'none', '--json', '--yes']
  const { code, stdout, stderr } = await (await aServer({ args, env })).ended
  const error = 'There is no project none. Find it by its name: find TEXT'
  expect({ code, stdout: JSON.parse(stdout), stderr }).toEqual({
    code: 1,
    stdout: { error },
    stderr: `${error}\n`,
  })
})

test('commands print control characters of stored text and of arguments as escapes', async () => {
  const env = { DATA_DIR: await aFolder() }
  const { url } = await aStarted({ env })
  const agent = 'x\u00AD31m'
  const request = callsTo((path, init) => fetch(url + path, init))
  const account = { fullName: 'Ann', email: 'ann@example.com', password: 'correct horse' }
  await request('signUp', account, { headers: { 'user-agent': agent } })
  const title = '\u001B]0;x\u0007'
  const admin = async (...words: string[]) =>
    (await aServer({ args: ['operate/commands/admin.ts', ...words, '--json'], env })).ended
  const [person, cancel] = await Promise.all([
    admin('person', account.email),
    admin('cancel', title),
  ])
  for (const printed of [person.stdout, cancel.stdout, cancel.stderr])
    expect(printed).toMatch(/^\P{Cc}+\n$/u)
  expect(person.stdout).toContain(String.raw`x\u00ad31m`)
  expect(JSON.parse(person.stdout).sessions).toMatchObject([{ userAgent: agent }])
  expect(JSON.parse(cancel.stdout).error).toContain(title)
  expect(cancel.stderr).toContain(String.raw`\u001b]0;x\u0007`)
})

test('the admin command makes no data folder where no server has run', async () => {
  const DATA_DIR = join(await aFolder(), 'data')
  const tool = await aServer({ args: ['operate/commands/admin.ts', 'who'], env: { DATA_DIR } })
  expect(await whyNot(tool)).toMatch(/^There is no data in DATA_DIR /)
  expect(existsSync(DATA_DIR)).toBe(false)
})

test.each([
  ['without a key', {}, /^STRIPE_SECRET_KEY/],
  ['with another key', { STRIPE_SECRET_KEY: 'pk_test_1' }, /^STRIPE_SECRET_KEY must be/],
])('stripe-setup %s fails with one line that says why', async (_, env, why) => {
  const tool = await aServer({ args: ['operate/commands/stripe-setup.ts'], env })
  expect(await whyNot(tool)).toMatch(why)
})

test('stripe:check skips itself without a key, and refuses a live key', async () => {
  const args = ['scripts/test-stripe.mjs']
  const skipped = { code: 0, stdout: 'skipped: no STRIPE_SECRET_KEY\n', stderr: '' }
  expect(await (await aServer({ args, env: { NODE_ENV: 'test' } })).ended).toEqual(skipped)
  const { code, stderr } = await (
    await aServer({ args, env: { NODE_ENV: 'test', STRIPE_SECRET_KEY: 'sk_live_1' } })
  ).ended
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('live') })
})

test('seed makes a team with a past on a running server, says who can sign in, and doubles nothing', async () => {
  const DATA_DIR = await aFolder()
  const server = await aStarted({ env: { DATA_DIR } })
  const env = { DATA_DIR, PORT: new URL(server.url).port }
  const clock = async () => {
    const page = await (await fetch(`${server.url}/sandbox/clock`)).text()
    return Date.parse(page.match(/class="figure">([^<]+)</)![1]!.replace(' at ', ' '))
  }
  const seed = async () => {
    const { code, stdout, stderr } = await (
      await aServer({ args: ['operate/seed/seed.ts'], env })
    ).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  const said = await seed()
  expect(said).toContain('ann.archer@example.com')
  expect(Math.abs((await clock()) - Date.now())).toBeLessThan(60_000)

  const call = callsTo((path, init) => fetch(server.url + path, init))
  const password = said.match(/password "(.+)"/)![1]!
  const email = 'ann.archer@example.com'
  const look = async () => {
    const { token } = (await call('signIn', { email, password })).result!
    const { subscriptions } = (await call('listSubscriptions', {}, { token })).result!
    const projects = subscriptions.map(({ settings, status, payment }) => [
      settings['name'],
      status,
      payment,
    ])
    const subscriptionId = subscriptions.find(
      ({ settings }) => settings['name'] === 'Bridge renewal',
    )!.id
    const of = { subscriptionId, page: 1, pageSize: 50 } as const
    const { users, seats } = (await call('getSubscriptionUsers', of, { token })).result!
    const { total } = (await call('listInvoices', of, { token })).result!
    const expired = users.filter((user) => user.is_expired).map((user) => user.display_name)
    return {
      projects: projects.toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
      invoices: total,
      seats,
      expired,
    }
  }
  const first = await look()
  expect(first).toMatchObject({
    projects: [
      ['Bridge renewal', 'active', 'ok'],
      ['Harbour lights', 'active', 'past_due'],
      ['Harbour study', 'active', 'ok'],
      ['Night market', 'canceled', 'ok'],
      ['Old ferry line', 'active', 'ok'],
    ],
    invoices: 13,
    seats: { members: 12, pending: 2 },
    expired: ['Marta Rossi'],
  })
  const people = await (await fetch(`${server.url}/dev/people`)).text()
  expect(people).toContain(password)
  expect(people).toContain(email)
  expect(await (await fetch(server.url)).text()).toContain('/dev/chip.js')
  expect(await seed()).toBe(said)
  expect(await look()).toEqual(first)
})
