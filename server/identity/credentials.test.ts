// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { untilSomebodyWaits } from '../../tests/database.ts'
import { aBrowser } from '../../tests/sign-in/browser.ts'
import { aMockIssuer, google } from '../../tests/sign-in/mock-issuer.ts'
import { openTab } from '../../tests/tab.ts'
import {
  aNewcomer,
  aWorld,
  aWorldWith,
  cookieHeader,
  inParallel,
  openWorld,
  reasonOf,
  type Person,
  type World,
} from '../../tests/world.ts'
import { inTransaction } from '../sql/database.ts'
import { openStore } from '../store/store.ts'

const rounds = Number(process.env['RACE_ROUNDS'] ?? 6)
const newPassword = 'brand new horse'

type Change = (world: World, ann: Person) => Promise<() => Promise<unknown>>

/** Each prepares a call that must end a thief's access, and returns a function that makes it. */
const changes: Record<string, Change> = {
  updatePassword: async (_world, ann) => () => ann.call('updatePassword', { newPassword }),

  confirmPasswordReset: async (world, { email }) => {
    const oobCode = await world.resetCode(email)
    return () => world.call('confirmPasswordReset', { oobCode, newPassword })
  },

  secureAccount: async (world, ann) => {
    await ann.call('updatePassword', { newPassword: ann.password })
    const oobCode = await world.mailedCode(ann.email)
    return () => world.call('applyActionCode', { oobCode })
  },

  recoverEmail: async (world, ann) => {
    await world.move(ann, `new-${ann.email}`)
    const oobCode = await world.mailedCode(ann.email)
    return () => world.call('applyActionCode', { oobCode })
  },

  deleteAccount: async (_world, ann) => () =>
    ann.call('deleteAccount', { confirmationId: ann.uid }),

  revokeOtherSessions: async (_world, ann) => () => ann.call('revokeOtherSessions', {}),

  revokeSession: async (_world, ann) => async () => {
    const { sessions } = await ann.does('listSessions', {})
    const sessionId = sessions.find(({ is_current }) => !is_current)!.id
    return ann.call('revokeSession', { sessionId })
  },
}

test.each([
  'updatePassword',
  'confirmPasswordReset',
  'secureAccount',
  'recoverEmail',
  'deleteAccount',
])('a sign-in with the old password at the same time as %s leaves no session', async (name) => {
  const world = await aWorld()
  for (let round = 0; round < rounds; round++) {
    const ann = await world.aPerson(`ann${round}`)
    const change = await changes[name]!(world, ann)
    const { email } = (await world.services.store.users.find(ann.uid))!
    const signIn = () => world.signIn({ email, password: ann.password })
    const [thief, changed, late] = [inParallel(4, signIn), change(), inParallel(2, signIn)]
    await changed
    for (const signedIn of [...(await thief), ...(await late)]) {
      expect([200, 401]).toContain(signedIn.status)
      if (signedIn.result)
        await world.cannot('getUser', {}, 'sessionEnded', { token: signedIn.result.token })
    }
  }
})

test('a session that is renewed while the user changes the password ends like the user’s other sessions', async () => {
  const world = await aWorld()
  for (let round = 0; round < rounds; round++) {
    const ann = await world.aPerson(`ann${round}`)
    const { cookie } = await world.signedIn(ann)
    const [renewed] = await Promise.all([
      world.refresh(cookie),
      ann.call('updatePassword', { newPassword }),
    ])
    if (renewed.result)
      await world.cannot('getUser', {}, 'sessionEnded', { token: renewed.result.token })
    expect((await world.refresh(cookie)).status).toBe(401)
  }
})

test.each(['updatePassword', 'confirmPasswordReset', 'revokeOtherSessions', 'revokeSession'])(
  'a change of the email address that a thief requested can’t be confirmed after %s',
  async (name) => {
    const [world, ann] = await aWorldWith('ann')
    const thief = await world.signedIn(ann)
    await thief.call('updateEmail', { newEmail: 'thief@example.com' })
    const oobCode = await world.mailedCode('thief@example.com')
    const change = await changes[name]!(world, ann)
    await change()
    await world.cannot('applyActionCode', { oobCode }, 'auth/invalid-action-code')
    expect((await world.services.store.users.find(ann.uid))!.email).toBe(ann.email)
  },
)

test.each([
  ['updateEmail', { newEmail: 'thief@example.com' }],
  ['updatePassword', { newPassword: 'the thief’s own' }],
  ['revokeOtherSessions', {}],
] as const)(
  '%s is refused in a stolen session that the user is ending at the same time',
  async (name, input) => {
    const [world, ann] = await aWorldWith('ann')
    const stolen = (await world.signedIn(ann)).token
    const { thief } = await inTransaction(world.pool, async (tx) => {
      const { sessions, users } = openStore(tx)
      await users.lock(ann.uid)
      const thief = world.call(name, input, { token: stolen })
      await untilSomebodyWaits(world.pool)
      const kept = (await ann.does('listSessions', {})).sessions.find(
        ({ is_current }) => is_current,
      )!
      await sessions.endAllOf({ userId: ann.uid, except: kept.id })
      return { thief }
    })
    expect(reasonOf(await thief)).toBe('sessionEnded')
    await ann.does('getUser', {})
    await world.signedIn(ann)
  },
)

test('a user can confirm a change of the email address in a browser where nobody is signed in', async () => {
  const [world, ann] = await aWorldWith('ann')
  await ann.call('updateEmail', { newEmail: 'new@example.com' })
  await world.openMail('new@example.com')
  await ann.does('getUser', {})
})

test('requesting a change of the email address mails a link to lock the account to the current address', async () => {
  const [world, ann] = await aWorldWith('ann')
  await ann.call('updateEmail', { newEmail: 'thief@example.com' })
  const [notice] = await world.mails(ann.email)
  expect(notice!.text).toContain('thief@example.com')
  await world.openMail(ann.email)
  const oobCode = await world.mailedCode('thief@example.com')
  await world.cannot('applyActionCode', { oobCode }, 'auth/invalid-action-code')
})

test('a completed password reset mails a link to lock the account', async () => {
  const [world, ann] = await aWorldWith('ann')
  const reset = await changes['confirmPasswordReset']!(world, ann)
  await reset()
  const [notice] = await world.mails(ann.email)
  expect(notice!.text).toContain('The password of your account was changed.')
  const oobCode = await world.mailedCode(ann.email)
  expect((await world.does('checkActionCode', { oobCode })).mode).toBe('secureAccount')
})

test('a password reset unlinks sign-in providers that were linked before the email address was verified, and others if asked to', async () => {
  const { world, ann } = await aNewcomer()
  const { providerLinks } = world.services.store
  const link = (provider: string) =>
    providerLinks.add({ provider, subject: 'x', userId: ann.uid, email: null, now: new Date() })
  const reset = async (unlinkProviders?: boolean) => {
    const oobCode = await world.resetCode(ann.email)
    const checked = await world.does('checkActionCode', { oobCode })
    await world.does('confirmPasswordReset', { oobCode, newPassword, unlinkProviders })
    return checked
  }
  await link('facebook')
  expect(await reset()).toEqual({ mode: 'resetPassword', email: ann.email })
  expect(await providerLinks.listOf(ann.uid)).toEqual([])
  await link('google')
  expect(await reset()).toEqual({ mode: 'resetPassword', email: ann.email, providers: ['google'] })
  expect((await providerLinks.listOf(ann.uid)).map(({ provider }) => provider)).toEqual(['google'])
  await reset(true)
  expect(await providerLinks.listOf(ann.uid)).toEqual([])
})

test('a user can still recover an account after a thief changed its email address twice and undid the second change', async () => {
  const [world, ann] = await aWorldWith('ann')
  const codes: string[] = []
  for (const [from, newEmail] of [
    [ann.email, 'thief1@example.com'],
    ['thief1@example.com', 'thief2@example.com'],
  ] as const) {
    await world.move(ann, newEmail)
    codes.push(await world.mailedCode(from))
    world.pass(1000)
  }
  await world.does('applyActionCode', { oobCode: codes[1]! })
  await world.does('applyActionCode', { oobCode: codes[0]! })
  expect((await world.services.store.users.find(ann.uid))!.email).toBe(ann.email)
})

test('nobody can sign up with the old email address of an account while a mailed link can still restore that address', async () => {
  const [world, ann] = await aWorldWith('ann')
  await world.move(ann, 'thief@example.com')
  const oobCode = await world.mailedCode(ann.email)
  const squat = { fullName: 'Thief', email: ann.email, password: newPassword }
  await world.cannot('signUp', squat, 'auth/email-already-in-use')
  await world.does('applyActionCode', { oobCode })
  expect((await world.services.store.users.find(ann.uid))!.email).toBe(ann.email)
})

test('a verification link that was mailed before the account was locked can no longer delete the account', async () => {
  const { world, ann } = await aNewcomer()
  const verification = await world.mailedCode(ann.email)
  await ann.call('updatePassword', { newPassword })
  await world.openMail(ann.email)
  await world.cannot('rejectVerification', { oobCode: verification }, 'auth/invalid-action-code')
})

test('a link to lock an account gives the account back to the email address to which the link was mailed', async () => {
  const [world, ann] = await aWorldWith('ann')
  await ann.call('updateEmail', { newEmail: 'thief@example.com' })
  const [notice] = await world.mails(ann.email)
  await world.openMail('thief@example.com')
  await world.untilWorkedOff()
  const oobCode = new URL(notice!.links[0]!).searchParams.get('oobCode')!
  await world.does('applyActionCode', { oobCode })
  const reset = await world.mailedCode(ann.email)
  const checked = await world.does('checkActionCode', { oobCode: reset })
  expect(checked).toEqual({ mode: 'resetPassword', email: ann.email })
})

test('a sign-in gets no session if its sign-in provider is unlinked at the same time', async () => {
  const issuer = await aMockIssuer({ sub: 's', email: 'thief@example.com', email_verified: true })
  const world = await aWorld(google(issuer))
  const ann = await world.aPerson()
  await world.link(ann)
  const browser = aBrowser(world)
  const { thief } = await inTransaction(world.pool, async (tx) => {
    const { providerLinks, users } = openStore(tx)
    await users.renewCredentials(ann.uid)
    const thief = browser.open('/auth/provider/google')
    await untilSomebodyWaits(world.pool)
    await providerLinks.removeAllOf(ann.uid)
    return { thief }
  })
  expect(await thief).toMatchObject({ outcome: 'refused' })
  expect(await world.services.store.sessions.listOf(ann.uid)).toHaveLength(1)
})

test('a session ends after its maximum lifetime, even if it was renewed', async () => {
  const [world, ann] = await aWorldWith('ann')
  let { cookie } = ann
  const week = 7 * 24 * 60 * 60_000
  for (let passed = week; passed < limits.sessions.absolute; passed += week) {
    world.pass(week)
    const renewed = await world.refresh(cookie)
    expect(renewed.status).toBe(200)
    cookie = cookieHeader(renewed.headers.getSetCookie())
  }
  world.pass(week)
  await world.cannot('refreshSession', {}, 'sessionEnded', { headers: { cookie } })
})

test('when a user exceeds the limit of sessions, the sessions used least recently end', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { store } = world.services
  const { credentialsVersion } = (await store.users.find(ann.uid))!
  const entry = { actorName: '', details: '{}' }
  const session = { userId: ann.uid, credentialsVersion, address: '', userAgent: '', ...entry }
  for (let index = 0; index < limits.sessions.perUser; index++) {
    const at = new Date(index)
    const times = { startedAt: at, signedInAt: at, secondStepAt: null, usedAt: at }
    await store.sessions.add({ id: `old ${index}`, ...session, ...times })
  }
  const signIns = await inParallel(4, () => world.signIn(ann))
  const sessions = await store.sessions.listOf(ann.uid)
  expect(sessions).toHaveLength(limits.sessions.perUser)
  for (const { result } of signIns) await world.does('getUser', {}, { token: result!.token })
  expect(sessions.some(({ id }) => id === 'old 0')).toBe(false)
})

test('a refresh token that is sent again within the grace period gives the same new token', async () => {
  const [world, ann] = await aWorldWith('ann')
  const refresh = async (cookie: string) => {
    const { headers } = await world.refresh(cookie)
    return /pergola_refresh=([^;]+)/.exec(headers.getSetCookie().join())![1]!
  }
  const successors = await inParallel(10, () => refresh(ann.cookie))
  expect(new Set(successors).size).toBe(1)
  const next = await refresh(`pergola_refresh=${successors[0]}`)
  expect(next).not.toBe(successors[0])
  expect(await refresh(ann.cookie)).toBe(next)
})

test('a refresh beyond the limit leaves the refresh token as it is', async () => {
  const [world, ann] = await aWorldWith('ann')
  const [session] = (await ann.does('listSessions', {})).sessions
  await world.useUp('refreshBySession', session!.id, rateLimits.refreshBySession.tries)
  const refused = await world.refresh(ann.cookie)
  expect(reasonOf(refused)).toBe('auth/too-many-requests')
  expect(refused.headers.getSetCookie()).toEqual([])
  world.pass(limits.sessions.reuseGrace)
  await world.pool.query('delete from rate_limits')
  expect((await world.refresh(ann.cookie)).status).toBe(200)
})

test('when a user is disabled, every server refuses their next request and closes their live streams', async () => {
  const [world, ann] = await aWorldWith('ann')
  const other = await openWorld(world.connection)
  const tab = await openTab(other, ann.token)
  await world.pool.query('update users set disabled = true where id = $1', [ann.uid])
  await other.cannot('getUser', {}, 'sessionEnded', { token: ann.token })
  expect((await world.refresh(ann.cookie)).status).toBe(401)
  await tab.end()
  await world.cannot('signIn', { email: ann.email, password: ann.password }, 'auth/user-disabled')
})
