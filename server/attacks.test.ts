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

test('guessing one account from many addresses is stopped all the same', async () => {
  const world = await aWorld()
  const ann = await world.aPerson()
  for (let index = 0; index < limits.attempts.signInByAccount.tries; index++)
    await world.call('signIn', { email: ann.email, password: `guess ${index}` }, { headers: { 'x-forwarded-for': `203.0.113.${index}` } })
  const answer = await world.call(
    'signIn',
    { email: ann.email, password: ann.password },
    { headers: { 'x-forwarded-for': '203.0.113.99' } },
  )
  expect(reasonOf(answer)).toBe('auth/too-many-requests')
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
