// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { anAuthenticator, codeAt, waiting } from '../../tests/an-authenticator.ts'
import {
  aWorld,
  aWorldWith,
  cookieHeader,
  inParallel,
  openWorld,
  reasonOf,
  countOutcomes,
  type Person,
  type World,
} from '../../tests/world.ts'

const needed = 'auth/multi-factor-auth-required'
const wrong = 'auth/invalid-verification-code'
const newPassword = 'brand new horse'

/** Ann, whose second step is on. */
async function aCarefulPerson() {
  const [world, ann] = await aWorldWith('ann')
  return { world, ann, app: await anAuthenticator(world, ann) }
}

/** Signs in up to the second step. */
async function passFirst(world: World, { email, password }: Person, cookie = '') {
  const answer = await world.call('signIn', { email, password }, { headers: { cookie } })
  expect(reasonOf(answer)).toBe(needed)
  return waiting(answer, cookie)
}

const subjects = async (world: World, { email }: Person) =>
  (await world.mails(email)).map(({ subject }) => subject)

test('a code of the app passes the second step', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const { resolver, types, headers } = await passFirst(world, ann)
  expect(types).toEqual(['totp'])
  const input = { resolver, code: app.code() }
  const { user, token } = await world.does('finishSignIn', input, { headers })
  expect(user.uid).toBe(ann.uid)
  expect(await world.does('listFactors', {}, { token })).toMatchObject({
    factors: [{ id: app.id, type: 'totp', display_name: 'Authenticator app' }],
    recovery_codes_left: 10,
  })
})

test('setting up an app answers with what a QR code shows and ten codes, and mails the person', async () => {
  const [world, ann] = await aWorldWith('ann')
  const {
    enrollmentId,
    secret = '',
    uri = '',
  } = await ann.does('startFactorEnrollment', {
    type: 'totp',
    displayName: 'My phone',
  })
  const shown = new URL(uri)
  expect(shown.protocol).toBe('otpauth:')
  expect(shown.searchParams.get('secret')).toBe(secret)
  expect(decodeURIComponent(shown.pathname)).toContain(ann.email)
  await ann.cannot('finishFactorEnrollment', { enrollmentId, code: '000000' }, wrong)
  const code = codeAt(secret, world.services.now())
  const done = await ann.does('finishFactorEnrollment', { enrollmentId, code })
  expect(done.factor).toMatchObject({ display_name: 'My phone', last_used: null })
  expect(new Set(done.recoveryCodes).size).toBe(10)
  expect(await subjects(world, ann)).toContain('My phone was added to your Pergola account')
  const { activity } = await ann.does('listOwnActivity', {})
  expect(activity[0]).toMatchObject({ kind: 'factorAdded', details: { factor: 'My phone' } })
  await ann.cannot('finishFactorEnrollment', { enrollmentId, code }, 'auth/enrollment-expired')
})

test('each code is accepted once, one step early or late, and no other', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const at = (steps: number) =>
    codeAt(app.secret, new Date(world.services.now().getTime() + steps * 30_000))
  world.pass(10 * 30_000)
  const finish = async (code: string) => {
    const { resolver, headers } = await passFirst(world, ann)
    return world.refusal('finishSignIn', { resolver, code }, { headers })
  }
  expect(await finish(at(-2))).toBe(wrong)
  expect(await finish(at(2))).toBe(wrong)
  expect(await finish(at(-1))).toBeUndefined()
  expect(await finish(at(-1))).toBe(wrong)
  expect(await finish(at(1))).toBeUndefined()
  expect(await finish(at(0))).toBe(wrong)
})

test('a recovery code passes the second step once, in any spelling, and is told', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const finish = async (recoveryCode: string) => {
    const { resolver, headers } = await passFirst(world, ann)
    return world.refusal('finishSignIn', { resolver, recoveryCode }, { headers })
  }
  const [first, second] = app.recoveryCodes
  expect(await finish(first!)).toBeUndefined()
  expect(await finish(first!)).toBe(wrong)
  expect(await finish(second!.replaceAll('-', '').toUpperCase())).toBeUndefined()
  expect(await ann.does('listFactors', {})).toMatchObject({ recovery_codes_left: 8 })
  expect(await subjects(world, ann)).toContain('A recovery code of your Pergola account was used')
})

test('a sign-in waits five minutes, for five tries, once, in its own browser', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const other = await passFirst(world, ann)
  const mine = await passFirst(world, ann)
  const finish = ({ resolver, headers }: typeof mine, code: string) =>
    world.refusal('finishSignIn', { resolver, code }, { headers })
  const expired = 'auth/resolver-expired'
  expect(await finish({ ...mine, headers: other.headers }, app.code())).toBe(expired)
  expect(await finish({ ...mine, headers: { cookie: '' } }, app.code())).toBe(expired)
  expect(await finish({ ...mine, resolver: 'x' }, app.code())).toBe(expired)
  expect(await finish(mine, app.code())).toBeUndefined()
  expect(await finish(mine, app.code())).toBe(expired)
  for (let tries = 0; tries < limits.factors.tries; tries++)
    expect(await finish(other, '000000')).toBe(wrong)
  expect(await finish(other, app.code())).toBe(expired)
  const late = await passFirst(world, ann)
  world.pass(limits.factors.resolver)
  expect(await finish(late, app.code())).toBe(expired)
})

test('two tabs of one browser can wait at once', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const first = await passFirst(world, ann)
  const second = await passFirst(world, ann, first.headers.cookie)
  for (const { resolver } of [first, second])
    await world.does('finishSignIn', { resolver, code: app.code() }, { headers: second.headers })
})

test('a changed password ends a sign-in that waits', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const { resolver, headers } = await passFirst(world, ann)
  await ann.does('updatePassword', { newPassword })
  const input = { resolver, code: app.code() }
  expect(await world.refusal('finishSignIn', input, { headers })).toBe('auth/resolver-expired')
})

test('wrong codes are limited and told to the owner, who gets in on a known device', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const { tries } = rateLimits.wrongSecondStepOfStrangers
  const guess = async (cookie?: string) => {
    const { resolver, headers } = await passFirst(world, ann, cookie)
    return world.refusal('finishSignIn', { resolver, code: '000000' }, { headers })
  }
  for (let index = 0; index < tries; index++) expect(await guess()).toBe(wrong)
  expect(await guess()).toBe('auth/too-many-requests')
  await world.untilWorkedOff()
  const told = 'Wrong code at a sign-in to your Pergola account'
  expect((await subjects(world, ann)).filter((subject) => subject === told)).toHaveLength(1)
  const limited = await passFirst(world, ann)
  const input = { resolver: limited.resolver, recoveryCode: app.recoveryCodes[0]! }
  await world.cannot('finishSignIn', input, 'auth/too-many-requests', limited)
  const { resolver, headers } = await passFirst(world, ann, app.device)
  await world.does('finishSignIn', { resolver, code: app.code() }, { headers })
  await ann.does(
    'reauthenticate',
    { password: ann.password, code: app.code() },
    { cookie: app.device },
  )
  const answer = await ann.call('updatePassword', { newPassword })
  expect(answer.status).toBe(200)
  const again = await passFirst(world, { ...ann, password: newPassword })
  await world.does('finishSignIn', { resolver: again.resolver, code: app.code() }, again)
})

test('a browser that is remembered skips the second step until the step changes', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const remember = async () => {
    const { resolver, headers } = await passFirst(world, ann)
    const input = { resolver, code: app.code(), rememberBrowser: true }
    const answer = await world.call('finishSignIn', input, { headers })
    return cookieHeader(answer.headers.getSetCookie())
  }
  const signIn = async (cookie: string) => {
    const { email, password } = ann
    return world.refusal('signIn', { email, password }, { headers: { cookie } })
  }
  const again = () => ann.does('reauthenticate', { password: ann.password, code: app.code() })
  for (const end of [
    () => ann.does('revokeOtherSessions', {}),
    async () => {
      const { sessions } = await ann.does('listSessions', {})
      const sessionId = sessions.find(({ is_current }) => !is_current)!.id
      return ann.does('revokeSession', { sessionId })
    },
    async () => {
      await again()
      const other = await anAuthenticator(world, ann)
      await ann.does('removeFactor', { factorId: other.id })
    },
  ]) {
    const kept = await remember()
    expect(await signIn(kept)).toBeUndefined()
    await end()
    expect(await signIn(kept)).toBe(needed)
  }
  const cookie = await remember()
  world.pass(limits.factors.browserRemembered - 60_000)
  expect(await signIn(cookie)).toBeUndefined()
  world.pass(60_000)
  expect(await signIn(cookie)).toBe(needed)
})

test('with a second step, a sign-in is recent only if it passed the step', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const { password } = ann
  world.pass(limits.sessions.recentSignIn + 1)
  const isRecent = async () =>
    (await ann.refusal('updatePassword', { newPassword: password })) === undefined
  expect(await isRecent()).toBe(false)
  await ann.cannot('reauthenticate', { password }, needed)
  expect(await isRecent()).toBe(false)
  await ann.cannot('reauthenticate', { code: app.code() }, 'auth/requires-recent-login')
  await ann.cannot('reauthenticate', { password: 'wrong', code: app.code() }, 'auth/wrong-password')
  await ann.cannot('reauthenticate', { password, code: '000000' }, wrong)
  await ann.cannot('reauthenticate', {}, 'invalidInput')
  expect(await isRecent()).toBe(false)
  await ann.does('reauthenticate', { password, code: app.code() })
  expect(await isRecent()).toBe(true)
})

test('a password reset asks for the second step, and uses nothing up without it', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const oobCode = await world.resetCode(ann.email)
  const reset = (step: object) =>
    world.refusal('confirmPasswordReset', { oobCode, newPassword, ...step })
  expect(await reset({})).toBe(needed)
  expect(await reset({ code: '000000' })).toBe(wrong)
  expect(await reset({ code: app.code(), recoveryCode: app.recoveryCodes[0] })).toBe('invalidInput')
  expect(await reset({ recoveryCode: app.recoveryCodes[0] })).toBeUndefined()
  expect(await reset({ code: app.code() })).toBe('auth/invalid-action-code')
  const { resolver, headers } = await passFirst(world, { ...ann, password: newPassword })
  await world.does('finishSignIn', { resolver, code: app.code() }, { headers })
})

test('locking the account removes what was added since, and keeps older factors', async () => {
  const { world, ann, app } = await aCarefulPerson()
  world.pass(1000)
  await ann.does('reauthenticate', { password: ann.password, code: app.code() })
  // A thief with everything changes the password, and adds an app.
  await ann.does('updatePassword', { newPassword })
  const lock = await world.mailedCode(ann.email)
  world.pass(1000)
  await anAuthenticatorOf(ann)
  await world.does('applyActionCode', { oobCode: lock })
  const oobCode = await world.mailedCode(ann.email)
  const reset = (step: object) =>
    world.refusal('confirmPasswordReset', { oobCode, newPassword, ...step })
  expect(await reset({})).toBe(needed)
  expect(await reset({ code: app.code() })).toBeUndefined()
  const { resolver, headers } = await passFirst(world, { ...ann, password: newPassword })
  const input = { resolver, code: app.code() }
  const { token } = await world.does('finishSignIn', input, { headers })
  const { factors } = await world.does('listFactors', {}, { token })
  expect(factors.map(({ id }) => id)).toEqual([app.id])

  async function anAuthenticatorOf(person: Person) {
    const { enrollmentId, secret = '' } = await person.does('startFactorEnrollment', {
      type: 'totp',
    })
    const code = codeAt(secret, world.services.now())
    const done = await person.does('finishFactorEnrollment', { enrollmentId, code })
    expect(done.recoveryCodes).toBeUndefined()
  }
})

test('the mail about a first app removes it, so that a thief with the password keeps nobody out', async () => {
  const { world, ann } = await aCarefulPerson()
  const oobCode = await world.mailedCode(ann.email)
  await world.does('applyActionCode', { oobCode })
  const reset = await world.mailedCode(ann.email)
  await world.does('confirmPasswordReset', { oobCode: reset, newPassword })
  const { token } = (await world.signIn({ email: ann.email, password: newPassword })).result!
  expect(await world.does('listFactors', {}, { token })).toEqual({
    factors: [],
    recovery_codes_left: 0,
  })
})

test('removing the last app turns the second step off, and new codes end the former', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const { recoveryCodes } = await ann.does('renewRecoveryCodes', {})
  const former = await passFirst(world, ann)
  const input = { resolver: former.resolver, recoveryCode: app.recoveryCodes[0]! }
  expect(await world.refusal('finishSignIn', input, former)).toBe(wrong)
  await world.does('finishSignIn', { ...input, recoveryCode: recoveryCodes[0]! }, former)
  await ann.does('renameFactor', { factorId: app.id, displayName: 'Old phone' })
  await ann.does('removeFactor', { factorId: app.id })
  await ann.cannot('removeFactor', { factorId: app.id }, 'auth/factor-not-found')
  await ann.cannot('renameFactor', { factorId: app.id, displayName: 'x' }, 'auth/factor-not-found')
  await ann.cannot('renewRecoveryCodes', {}, 'auth/second-step-off')
  expect((await world.signIn(ann)).status).toBe(200)
  const { activity } = await ann.does('listOwnActivity', {})
  expect(activity.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['factorRemoved', 'factorRenamed', 'recoveryCodesRenewed']),
  )
})

test('of several finishes of one enrollment, and of several uses of one code, one succeeds', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { enrollmentId, secret = '' } = await ann.does('startFactorEnrollment', { type: 'totp' })
  const code = codeAt(secret, world.services.now())
  const finished = await inParallel(4, () =>
    ann.call('finishFactorEnrollment', { enrollmentId, code }),
  )
  expect(countOutcomes(finished)).toMatchObject({ done: 1 })
  const { recoveryCodes } = finished.find(({ result }) => result)!.result!
  const waits = await Promise.all([passFirst(world, ann), passFirst(world, ann)])
  const signedIn = await Promise.all(
    waits.map(({ resolver, headers }) =>
      world.call('finishSignIn', { resolver, recoveryCode: recoveryCodes![0]! }, { headers }),
    ),
  )
  expect(countOutcomes(signedIn)).toEqual({ done: 1, [wrong]: 1 })
})

test('a secret stays readable after the key that sealed it is gone', async () => {
  const world = await aWorld({ SECRET_KEY: formerKey })
  const ann = await world.aPerson('ann')
  const app = await anAuthenticator(world, ann)
  await world.stop()
  const between = await openWorld(world.connection, { SECRET_KEY: `${newerKey},${formerKey}` })
  await between.services.jobs.add('removeExpired', {})
  await between.untilWorkedOff()
  await between.stop()
  const later = await openWorld(world.connection, { SECRET_KEY: newerKey })
  later.pass(60_000)
  const { resolver, headers } = await passFirst(later, ann)
  const code = codeAt(app.secret, later.services.now())
  await later.does('finishSignIn', { resolver, code }, { headers })
})

const [formerKey, newerKey] = ['a1'.repeat(32), 'b2'.repeat(32)]
