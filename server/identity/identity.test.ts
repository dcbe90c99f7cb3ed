// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { untilSomebodyWaits } from '../../tests/database.ts'
import {
  aNewcomer,
  aWorld,
  aWorldWith,
  cookieHeader,
  inParallel,
  reasonOf,
  countOutcomes,
} from '../../tests/world.ts'
import { inTransaction } from '../sql/database.ts'
import { openStore } from '../store/store.ts'

const ann = { fullName: 'Ann Archer', email: 'ann@example.com', password: 'secret of ann' }

test('signing up starts a session, stores the user and mails the verification link', async () => {
  const world = await aWorld()
  const { user, token, expiresIn } = await world.does('signUp', ann)
  const { email, fullName: displayName } = ann
  expect(user).toMatchObject({ email, emailVerified: false, displayName })
  expect(expiresIn).toBe(3600)
  const record = await world.does('getUser', {}, { token })
  expect(record.user).toMatchObject({ id: user.uid, display_name: displayName })
  const [mail] = await world.mails('ann@example.com')
  expect(mail!.links[0]).toMatch(
    /^http:\/\/localhost:3000\/auth\/action\?mode=verifyEmail&oobCode=[\w-]+&lang=en$/,
  )
})

test('an email address in another spelling belongs to the same account', async () => {
  const world = await aWorld()
  const spellings = ['Ann@Пример.рф', '\u200Bann@xn--e1afmkfd.xn--p1ai ', 'ａｎｎ＠пример。рф']
  await world.does('signUp', { ...ann, email: spellings[0]! })
  await world.openMail('ann@пример.рф')
  for (const email of spellings) {
    await world.cannot('signUp', { ...ann, email }, 'auth/email-already-in-use')
    await world.does('signIn', { email, password: ann.password })
  }
  const { owner, id: subscriptionId } = await world.aProject()
  const invite = { subscriptionId, permissions: [], email: spellings[0]! }
  await owner.does('createInvite', invite)
  await owner.cannot('createInvite', { ...invite, email: spellings[1]! }, 'alreadyInvited')
})

test('when several people sign up with one email address at once, one sign-up succeeds', async () => {
  const world = await aWorld()
  const answers = await inParallel(4, () => world.call('signUp', ann))
  expect(countOutcomes(answers)).toEqual({ done: 1, 'auth/email-already-in-use': 3 })
})

test('a sign-up with a malformed email address is refused', async () => {
  const world = await aWorld()
  for (const email of ['', 'ann', 'ann@', '@example.com', 'ann@example-', 'a b@example.com'])
    expect(await world.refusal('signUp', { ...ann, email }), email).toBe('auth/invalid-email')
})

test('the number of verification mails per account is limited', async () => {
  const { ann: person } = await aNewcomer()
  for (let index = 0; index < rateLimits.verificationByAccount.tries; index++)
    await person.call('sendVerificationEmail', {})
  await person.cannot('sendVerificationEmail', {}, 'auth/too-many-requests')
})

test('a mailed verification link works once', async () => {
  const { world, ann: person } = await aNewcomer()
  const oobCode = await world.mailedCode(person.email)
  const checked = { mode: 'verifyEmail', email: person.email }
  expect(await world.does('checkActionCode', { oobCode })).toEqual(checked)
  await world.does('applyActionCode', { oobCode })
  await world.cannot('applyActionCode', { oobCode }, 'auth/invalid-action-code')
  await world.cannot('applyActionCode', { oobCode: 'made-up' }, 'auth/invalid-action-code')
})

test('a mailed verification link expires after three days, and a password reset link after one hour', async () => {
  const { world, ann: person } = await aNewcomer()
  const verify = await world.mailedCode(person.email)
  const reset = await world.resetCode(person.email)
  world.pass(limits.actionCodes.resetPassword)
  const change = { oobCode: reset, newPassword: 'new secret' }
  await world.cannot('confirmPasswordReset', change, 'auth/expired-action-code')
  await world.does('checkActionCode', { oobCode: verify })
  const { error } = await world.call('checkActionCode', { oobCode: reset })
  const forNewLink = { email: person.email }
  expect(error!.details).toEqual({ reason: 'auth/expired-action-code', ...forNewLink })
  world.pass(limits.actionCodes.verifyEmail)
  await world.cannot('applyActionCode', { oobCode: verify }, 'auth/expired-action-code')
})

test('a password reset link sets the password, ends every session and works once, and a refused password does not use it up', async () => {
  const [world, person] = await aWorldWith('ann')
  const oobCode = await world.resetCode(person.email)
  const checked = { mode: 'resetPassword', email: person.email }
  expect(await world.does('checkActionCode', { oobCode })).toEqual(checked)
  const reset = async (newPassword: string) =>
    (await world.refusal('confirmPasswordReset', { oobCode, newPassword })) ?? 'done'
  expect(await reset('12345')).toBe('auth/password-does-not-meet-requirements')
  await world.cannot('applyActionCode', { oobCode }, 'auth/invalid-action-code')
  expect(await reset('brand new')).toBe('done')
  expect(await reset('once more')).toBe('auth/invalid-action-code')
  await person.cannot('getUser', {}, 'sessionEnded')
  expect((await world.refresh(person.cookie)).status).toBe(401)
  expect((await world.signIn(person)).status).toBe(401)
  await world.does('signIn', { email: person.email, password: 'brand new' })
})

test('an access token expires after one hour and is renewed with the session cookie', async () => {
  const [world, person] = await aWorldWith('ann')
  world.pass(limits.sessions.accessToken)
  const late = await person.call('getUser', {})
  expect([late.status, reasonOf(late)]).toEqual([401, 'sessionEnded'])
  const renewed = await world.refresh(person.cookie)
  const { user } = await world.does('getUser', {}, { token: renewed.result!.token })
  expect(user.id).toBe(person.uid)
})

test('a refresh token that is sent again at once, by a second tab, still works; sent again later, it ends the session', async () => {
  const [world, person] = await aWorldWith('ann')
  const [first, second] = [await world.refresh(person.cookie), await world.refresh(person.cookie)]
  expect([first.status, second.status]).toEqual([200, 200])
  world.pass(limits.sessions.reuseGrace + 1000)
  for (const cookie of [person.cookie, cookieHeader(first.headers.getSetCookie())])
    expect(reasonOf(await world.refresh(cookie))).toBe('sessionEnded')
  await world.cannot('getUser', {}, 'sessionEnded', { token: second.result!.token })
})

test('signing out ends the session at once and removes the cookies', async () => {
  const [world, person] = await aWorldWith('ann')
  const answer = await person.call('signOut', {})
  expect(answer.headers.getSetCookie().every((cookie) => cookie.includes('Max-Age=0'))).toBe(true)
  await person.cannot('getUser', {}, 'sessionEnded')
  expect((await world.refresh(person.cookie)).status).toBe(401)
})

test('the job that removes expired rows keeps a session that has no tokens yet because its sign-in is still running', async () => {
  const [world, { email, password }] = await aWorldWith('ann')
  const { signIn } = await inTransaction(world.pool, async (tx) => {
    await tx.execute(sql`lock table session_tokens in share mode`)
    const signIn = world.call('signIn', { email, password })
    await untilSomebodyWaits(world.pool)
    await openStore(tx).sessions.removeExpired(world.services.now())
    return { signIn }
  })
  expect((await signIn).status).toBe(200)
})

test('API calls that need a session refuse expired and forged access tokens', async () => {
  const world = await aWorld()
  await world.cannot('getUser', {}, 'notSignedIn')
  await world.cannot('getUser', {}, 'sessionEnded', { token: 'made.up.token' })
})

test('a user can change their name and language', async () => {
  const [, person] = await aWorldWith('ann')
  await person.call('updateProfile', { displayName: '  Ann the Second ' })
  await person.call('saveUser', { language: 'en' })
  const { user } = await person.does('getUser', {})
  const saved = { display_name: 'Ann the Second', language: 'en' }
  expect(user).toMatchObject({ ...saved, create_time: person.creationTime })
})

test('password guesses that are sent at the same time all count against the limit', async () => {
  const [world, { email }] = await aWorldWith('ann')
  const { tries } = rateLimits.failedSignInByAccountAndNetwork
  const guess = (index: number) => world.call('signIn', { email, password: `guess ${index}` })
  const answers = await inParallel(30, guess)
  const counts = countOutcomes(answers)
  expect(counts['auth/invalid-credential']).toBeLessThanOrEqual(tries)
  expect(counts['auth/too-many-requests']).toBeGreaterThanOrEqual(30 - tries)
})

test('a user who is locked out by wrong passwords can sign in again after a password reset', async () => {
  const [world, person] = await aWorldWith('ann')
  for (let index = 0; index < rateLimits.failedSignInByAccountAndNetwork.tries; index++)
    await world.call('signIn', { email: person.email, password: `guess ${index}` })
  const oobCode = await world.resetCode(person.email)
  await world.call('confirmPasswordReset', { oobCode, newPassword: 'brand new' })
  await world.does('signIn', { email: person.email, password: 'brand new' })
})

test('a user’s name with a line break is refused, because names appear in mails', async () => {
  const world = await aWorld()
  const { error } = await world.call('signUp', { ...ann, fullName: 'Ann\r\nBcc: eve' })
  expect(error!.details!['fields']).toEqual({ fullName: 'invalid_format' })
})

test('renewing a session that ends at the same time is refused with sessionEnded', async () => {
  const [world, person] = await aWorldWith('ann')
  for (let round = 0; round < 20; round++) {
    const again = await world.signedIn(person)
    const [renewed] = await Promise.all([world.refresh(again.cookie), again.call('signOut', {})])
    expect([200, 401]).toContain(renewed.status)
  }
})
