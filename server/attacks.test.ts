import { limits } from '#config/limits.ts'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { aWorld, cookieHeader, publicUrl, reasonOf } from '../tests/world.ts'

test('a forged Host or X-Forwarded-Host gets into no mailed link', async () => {
  const world = await aWorld()
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', origin: 'https://evil.example' }
  const person = await world.aPerson()
  await world.call('sendPasswordResetEmail', { email: person.email }, { headers })
  const [mail] = await world.mails(person.email)
  expect(mail!.links.every((link) => link.startsWith(publicUrl))).toBe(true)
  expect(mail!.html).not.toContain('evil.example')
})

test('pages tell no other site where they are, so that no code leaks in a referrer', async () => {
  const world = await aWorld()
  const page = await world.request('/auth/action?mode=verifyEmail&oobCode=secret')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  const scripts = /script-src ([^;]*)/.exec(page.headers.get('content-security-policy')!)![1]
  expect(scripts).toMatch(/^'self'/)
  expect(scripts).not.toContain('unsafe')
})

test('signing in takes no session from outside: always a new one, whatever cookie came along', async () => {
  const world = await aWorld()
  const [ann, mallory] = [await world.aPerson('ann'), await world.aPerson('mallory')]
  const answer = await world.call('signIn', { email: ann.email, password: ann.password }, { headers: { cookie: mallory.cookie } })
  const cookie = cookieHeader(answer.headers.getSetCookie())
  expect(cookie).not.toBe(mallory.cookie)
  expect((await world.call('refreshSession', {}, { headers: { cookie: mallory.cookie } })).result!.user.uid).toBe(mallory.uid)
  expect((await world.call('refreshSession', {}, { headers: { cookie } })).result!.user.uid).toBe(ann.uid)
})

test('guessing one account from many networks keeps no owner out, on a browser that is known or new', async () => {
  const world = await aWorld({ TRUST_PROXY: '1' })
  const ann = await world.aPerson()
  const signIn = (password: string, headers: Record<string, string>) => world.call('signIn', { email: ann.email, password }, { headers })
  const { tries } = limits.attempts.failedSignInByAccountAndNetwork
  // At once, but no more than may wait to be hashed: those would not count.
  const guess = (last: number) => signIn(`guess ${last}`, { 'x-forwarded-for': `203.0.113.${last}` })
  const guesses = [...Array.from({ length: tries }, () => guess(1)), ...Array.from({ length: 20 }, (_, index) => guess(2 + index))]
  const onKnown = signIn(ann.password, { 'x-forwarded-for': '203.0.113.1', cookie: ann.cookie })
  expect((await onKnown).status, 'a known browser, while they guess').toBe(200)
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200 || status === 500)).toEqual([])
  expect((await signIn(ann.password, { 'x-forwarded-for': '198.51.100.1' })).status, 'a new browser').toBe(200)
  expect(reasonOf(await signIn(ann.password, { 'x-forwarded-for': '203.0.113.1' })), 'a network that guessed').toBe(
    'auth/too-many-requests',
  )
  expect((await signIn(ann.password, { 'x-forwarded-for': '203.0.113.1', cookie: ann.cookie })).status).toBe(200)
})

test.each([
  ['of one /64', (index: number) => `2001:db8:0:1:${index.toString(16)}::${index}`],
  ['with a port', (index: number) => `203.0.113.7:${1000 + index}`],
  ['that are none', (index: number) => `<script>${'x'.repeat(index)}`],
  ['that the visitor made up', (index: number) => `192.0.2.${index}, 203.0.113.7`],
])('addresses %s are one network to guess from', async (_, address) => {
  const world = await aWorld({ TRUST_PROXY: '1' })
  const ann = await world.aPerson()
  const { tries } = limits.attempts.failedSignInByAccountAndNetwork
  const signIn = (index: number) =>
    world.call('signIn', { email: ann.email, password: 'a guess' }, { headers: { 'x-forwarded-for': address(index) } })
  for (let index = 0; index < tries; index++) expect(reasonOf(await signIn(index))).toBe('auth/invalid-credential')
  expect(reasonOf(await signIn(tries))).toBe('auth/too-many-requests')
})

test('no answer tells who has an account: sign-in and reset speak alike of known and unknown addresses', async () => {
  const world = await aWorld()
  const ann = await world.aPerson()
  const [known, unknown] = [ann.email, 'nobody@example.com']
  const signIn = (email: string) => world.call('signIn', { email, password: 'wrong password' })
  const reset = (email: string) => world.call('sendPasswordResetEmail', { email })
  expect((await signIn(known)).error).toEqual((await signIn(unknown)).error)
  expect((await reset(known)).result).toEqual((await reset(unknown)).result)
  for (let index = 0; index < limits.attempts.resetByAccount.tries; index++) await Promise.all([reset(known), reset(unknown)])
  expect(reasonOf(await reset(known))).toBe(reasonOf(await reset(unknown)))
})

test('a key of somebody else gives nobody an answer that was not theirs', async () => {
  const world = await aWorld()
  const [ann, mallory] = [await world.aPerson('ann'), await world.aPerson('mallory')]
  const key = { 'idempotency-key': 'guessable' }
  const first = await ann.call('createSubscription', { planId: 'free' }, key)
  const second = await mallory.call('createSubscription', { planId: 'free' }, key)
  expect(second.result!.subscriptionId).not.toBe(first.result!.subscriptionId)
})

test('what is logged holds no password, token, code or cookie', async () => {
  const lines: string[] = []
  const world = await aWorld({}, pino({ level: 'trace' }, { write: (line) => void lines.push(line) }))
  const ann = await world.aPerson('ann')
  await world.call('signIn', { email: ann.email, password: 'a wrong secret' })
  await world.call('refreshSession', {}, { headers: { cookie: ann.cookie } })
  await world.call('sendPasswordResetEmail', { email: ann.email })
  const code = await world.mailedCode(ann.email)
  await world.call('confirmPasswordReset', { oobCode: code, newPassword: 'a new secret' })
  const log = lines.join('')
  expect(lines.length).toBeGreaterThan(5)
  const refreshToken = /atrium_refresh=([^;]+)/.exec(ann.cookie)![1]!
  for (const secret of [ann.password, 'a wrong secret', 'a new secret', ann.token, refreshToken, code]) expect(log).not.toContain(secret)
})
