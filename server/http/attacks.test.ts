// @module-tag slow
import { product } from '#config/product.ts'
import { limits, rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import {
  aLog,
  aWorld,
  aWorldWith,
  cookieHeader,
  openWorld,
  publicUrl,
  reasonOf,
} from '../../tests/world.ts'
import { openDatabase } from '../sql/database.ts'
import { trace } from '../../operate/commands/trace.ts'

test('a forged header Host or X-Forwarded-Host never changes the address of a mailed link', async () => {
  const world = await aWorld()
  const headers = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    origin: 'https://evil.example',
  }
  const person = await world.aPerson()
  await world.call('sendPasswordResetEmail', { email: person.email }, { headers })
  const [mail] = await world.mails(person.email)
  const ofProduct: unknown[] = Object.values(product)
  const others = mail!.links.filter((link) => !ofProduct.includes(link))
  expect(others.length).toBeGreaterThan(0)
  expect(others.every((link) => link.startsWith(publicUrl))).toBe(true)
  expect(mail!.html).not.toContain('evil.example')
})

test('signing in with a password always starts a new session, even if the browser sends an old session cookie', async () => {
  const [world, ann, mallory] = await aWorldWith('ann', 'mallory')
  const answer = await world.call(
    'signIn',
    { email: ann.email, password: ann.password },
    { headers: { cookie: mallory.cookie } },
  )
  const cookie = cookieHeader(answer.headers.getSetCookie())
  expect(cookie).not.toBe(mallory.cookie)
  expect((await world.refresh(mallory.cookie)).result!.user.uid).toBe(mallory.uid)
  expect((await world.refresh(cookie)).result!.user.uid).toBe(ann.uid)
})

test('when many networks guess a password, the account’s user can still sign in, in a known or a new browser', async () => {
  const world = await aWorld({ TRUST_PROXY: '1' })
  const ann = await world.aPerson()
  const signIn = (password: string, headers: Record<string, string>) =>
    world.call('signIn', { email: ann.email, password }, { headers })
  const { tries } = rateLimits.failedSignInByAccountAndNetwork
  // Guesses beyond the queue for password hashing would be refused without being counted.
  const guess = (last: number) =>
    signIn(`guess ${last}`, { 'x-forwarded-for': `203.0.113.${last}` })
  const guesses = [
    ...Array.from({ length: tries }, () => guess(1)),
    ...Array.from({ length: 20 }, (_, index) => guess(2 + index)),
  ]
  const onKnown = signIn(ann.password, { 'x-forwarded-for': '203.0.113.1', cookie: ann.cookie })
  expect((await onKnown).status, 'a known browser, while they guess').toBe(200)
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200 || status === 500)).toEqual([])
  expect(
    (await signIn(ann.password, { 'x-forwarded-for': '198.51.100.1' })).status,
    'a new browser',
  ).toBe(200)
  expect(
    reasonOf(await signIn(ann.password, { 'x-forwarded-for': '203.0.113.1' })),
    'a network that guessed',
  ).toBe('auth/too-many-requests')
  expect(
    (await signIn(ann.password, { 'x-forwarded-for': '203.0.113.1', cookie: ann.cookie })).status,
  ).toBe(200)
})

test('password guesses count together when they come from one IPv6 /64 network or forge X-Forwarded-For', async () => {
  const world = await aWorld({ TRUST_PROXY: '1' })
  const ann = await world.aPerson()
  const { tries } = rateLimits.failedSignInByAccountAndNetwork
  const signIn = (index: number) =>
    world.call(
      'signIn',
      { email: ann.email, password: 'a guess' },
      { headers: { 'x-forwarded-for': `192.0.2.${index}, 2001:db8:0:1:${index.toString(16)}::1` } },
    )
  for (let index = 0; index < tries; index++)
    expect(reasonOf(await signIn(index))).toBe('auth/invalid-credential')
  expect(reasonOf(await signIn(tries))).toBe('auth/too-many-requests')
})

test('sign-in and password reset answer the same for email addresses with and without an account', async () => {
  const [world, ann] = await aWorldWith('ann')
  const [known, unknown] = [ann.email, 'nobody@example.com']
  const signIn = (email: string) => world.call('signIn', { email, password: 'wrong password' })
  const reset = (email: string) => world.call('sendPasswordResetEmail', { email })
  expect((await signIn(known)).error).toEqual((await signIn(unknown)).error)
  expect((await reset(known)).result).toEqual((await reset(unknown)).result)
  for (let index = 0; index < rateLimits.resetByAccount.tries; index++)
    await Promise.all([reset(known), reset(unknown)])
  expect(reasonOf(await reset(known))).toBe(reasonOf(await reset(unknown)))
  expect(await world.mails(unknown)).toEqual([])
})

test('a user who sends another user’s Idempotency-Key does not get that user’s answer', async () => {
  const [, ann, mallory] = await aWorldWith('ann', 'mallory')
  const key = { 'idempotency-key': 'guessable' }
  const first = await ann.call('createSubscription', { planId: 'free' }, key)
  const second = await mallory.call('createSubscription', { planId: 'free' }, key)
  expect(second.result!.subscriptionId).not.toBe(first.result!.subscriptionId)
})

test('the log contains no password, token, code, cookie, email address or visitor address', async () => {
  const { world, lines, headers } = await aLoggedWorld()
  const ann = await world.aPerson('ann')
  for (const email of [ann.email, 'nobody@example.com'])
    await world.call('signIn', { email, password: 'a wrong secret' }, { headers })
  await world.call('refreshSession', {}, { headers: { cookie: ann.cookie, ...headers } })
  await world.refresh(ann.cookie)
  world.pass(limits.sessions.reuseGrace + 1000)
  await world.refresh(ann.cookie)
  await world.call('sendPasswordResetEmail', { email: ann.email }, { headers })
  const oobCode = await world.mailedCode(ann.email)
  await world.call('confirmPasswordReset', { oobCode, newPassword: 'a new secret' }, { headers })
  await world.untilWorkedOff()
  const log = lines.join('')
  expect(lines.length).toBeGreaterThan(5)
  const refreshToken = /pergola_refresh=([^;]+)/.exec(ann.cookie)![1]!
  const secrets = [ann.password, 'a wrong secret', 'a new secret', ann.token, refreshToken, oobCode]
  for (const secret of [...secrets, ann.email, 'nobody@example.com', address])
    expect(log).not.toContain(secret)
})

test('log lines of requests have hashes of the caller, of the account tried and of the IP address, so that an attack can be traced', async () => {
  const { world, linesOf, traced, headers } = await aLoggedWorld()
  const [ann, bob] = await world.somePeople('ann', 'bob')
  const tried = await linesOf(() =>
    world.call('signIn', { email: ' Ann@Example.com', password: 'a guess' }, { headers }),
  )
  const account = hashIn(await traced(ann.email), 'account')
  const place = hashIn(await traced(address), 'address')
  expect(tried).toMatchObject([
    { call: 'signIn', refused: 'auth/invalid-credential', account, address: place },
  ])
  const user = hashIn(await traced(ann.uid), 'user')
  expect(hashIn(await traced(ann.email), 'user')).toBe(user)
  const about = { user, address: place }
  const named = { account, address: place }
  const { email, password, token, cookie } = ann
  const asAnn = { token, headers }
  const ask = (path: string, more = {}, method = 'GET') =>
    world.request(path, { method, headers: { ...headers, ...more } })
  for (const [act, said] of [
    [() => world.call('signIn', { email, password }, { headers }), { ...named, user }],
    [() => world.call('signUp', { fullName: 'Ann', email, password }, { headers }), named],
    [() => world.call('sendPasswordResetEmail', { email }, { headers }), named],
    [() => world.call('reauthenticate', { password: 'a guess' }, asAnn), { ...about, account }],
    [() => world.call('getUser', {}, asAnn), about],
    [() => world.call('getSubscription', { subscriptionId: 'none' }, asAnn), about],
    [() => world.call('refreshSession', {}, { headers: { ...headers, cookie } }), about],
    [() => ask('/live', { authorization: `Bearer ${token}` }), about],
    [
      () => ask('/live', { authorization: 'Bearer none' }),
      { address: place, refused: 'sessionEnded' },
    ],
    [() => ask('/webhooks/stripe', {}, 'POST'), { address: place, refused: 'signature' }],
    [() => ask('/auth/provider/none'), { address: place, refused: 'auth/unknown-provider' }],
  ] as const)
    expect(await linesOf(act)).toContainEqual(expect.objectContaining(said))
  expect(hashIn(await traced(bob.uid), 'user')).not.toBe(user)
})

test('the trace command gives the same hash for every spelling of an IPv6 address', async () => {
  const { world, linesOf, traced } = await aLoggedWorld()
  const ask = () =>
    world.call('refreshSession', {}, { headers: { 'x-forwarded-for': '2001:db8::1' } })
  const [line] = await linesOf(ask)
  for (const written of ['2001:db8::1', '2001:DB8::1', '2001:0db8:0:0::0001', '[2001:db8::1]:443'])
    expect(hashIn(await traced(written), 'address')).toBe(line!['address'])
})

test('the hashes of accounts and IP addresses in the log stay the same after a restart, and differ between databases', async () => {
  const database = await aDatabase()
  const { linesOf, headers } = await aLoggedWorld(database)
  const again = await aLoggedWorld(database)
  const guess: Parameters<typeof linesOf>[0] = (world) =>
    world.call('signIn', { email: 'ann@example.com', password: 'a guess' }, { headers })
  const [before] = await linesOf(guess)
  const { account, address } = before!
  expect(await again.linesOf(guess)).toMatchObject([{ account, address }])
  const [elsewhere] = await (await aLoggedWorld()).linesOf(guess)
  expect(elsewhere).not.toMatchObject({ account })
  expect(elsewhere).not.toMatchObject({ address })
})

const address = '203.0.113.7'

type Database = Awaited<ReturnType<typeof aDatabase>>

/** A server behind a trusted proxy, with its log lines and the trace command. */
async function aLoggedWorld(given?: Database) {
  const { lines, log } = aLog('trace')
  const { connection, pool } = given ?? (await aDatabase())
  const world = await openWorld(connection, { TRUST_PROXY: '1' }, log)
  const db = openDatabase(pool)
  /** The log lines about requests that `act` causes. */
  async function linesOf(act: (asked: typeof world) => Promise<unknown>) {
    const from = lines.length
    await act(world)
    return lines
      .slice(from)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ requestId }) => requestId !== undefined)
  }
  return {
    lines,
    linesOf,
    headers: { 'x-forwarded-for': address },
    world,
    traced: (who: string) => trace(db, who),
  }
}

/** The hash with this name in the output of `npm run trace`. */
function hashIn(text: string, name: string) {
  return new RegExp(`"${name}":"([\\w-]{16})"`).exec(text)![1]
}
