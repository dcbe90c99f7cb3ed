// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aBrowser } from '../../tests/sign-in/browser.ts'
import { ann as atGoogle, aMockIssuer, google } from '../../tests/sign-in/mock-issuer.ts'
import { openTab } from '../../tests/tab.ts'
import {
  aNewcomer,
  aWorld,
  aWorldWith,
  inParallel,
  reasonOf,
  countOutcomes,
  type Person,
  type World,
} from '../../tests/world.ts'

/** The action codes in the mails to an email address, oldest first. */
async function mailedCodes(world: World, to: string) {
  const mails = await world.mails(to)
  return mails.map(({ links }) => new URL(links[0]!).searchParams.get('oobCode')!).toReversed()
}

async function removeExpired(world: World) {
  await world.services.jobs.add('removeExpired', {})
  await world.untilWorkedOff()
}

async function providersOf(person: Person) {
  return (await person.does('getUser', {})).user.providers
}

test('the answer to a verification link names the account that it verified, and the link ends no session', async () => {
  const { world, ann } = await aNewcomer()
  const bob = await world.aPerson('bob')
  expect(await world.openMail(ann.email, bob)).toEqual({
    account: { email: ann.email, displayName: 'ann', creationTime: ann.creationTime },
  })
  await ann.does('getUser', {})
  await bob.does('getUser', {})

  await ann.call('updateEmail', { newEmail: 'new@example.com' })
  expect(await world.openMail('new@example.com')).toEqual({})
})

test('a verification link that was used, or ended by another one, still names the verified account until it expires', async () => {
  const { world, ann } = await aNewcomer()
  await ann.call('sendVerificationEmail', {})
  const [first, second] = await mailedCodes(world, ann.email)
  const { result } = await world.call('applyActionCode', { oobCode: second! })
  for (const oobCode of [first!, second!]) {
    const again = await world.call('applyActionCode', { oobCode })
    expect(again.error!.details).toEqual({ reason: 'auth/invalid-action-code', ...result })
  }
  world.pass(limits.actionCodes.verifyEmail)
  const late = await world.call('applyActionCode', { oobCode: second! })
  expect(late.error!.details).toEqual({ reason: 'auth/invalid-action-code' })
})

test('opening a verification link without being signed in to the account unlinks its sign-in providers', async () => {
  const { world, ann } = await aNewcomer()
  await world.link(ann)
  const bob = await world.aPerson('bob')
  const account = { email: ann.email }
  expect(await world.openMail(ann.email, bob)).toMatchObject({ account, unlinked: ['google'] })
  expect(await providersOf(ann)).toEqual([])
  const { activity } = await ann.does('listOwnActivity', {})
  expect(activity[0]).toMatchObject({
    kind: 'providerUnlinked',
    actor: null,
    subject: 'ann',
    details: { provider: 'google' },
  })
})

test.each<[string, (world: World, ann: Person) => Promise<unknown>]>([
  [
    'while signed in',
    async (world, ann) =>
      expect(await world.openMail(ann.email, ann)).not.toHaveProperty('unlinked'),
  ],
  [
    'through an invitation',
    async (world, ann) => {
      const { id, owner } = await world.aProject()
      await owner.invites(id, ann.email)
      await ann.call('checkInvite', { code: await world.mailedCode(ann.email) })
    },
  ],
])('verifying %s keeps linked providers and marks them as verified', async (_, verify) => {
  const { world, ann } = await aNewcomer()
  await world.link(ann)
  await verify(world, ann)
  expect(await world.services.store.providerLinks.listOf(ann.uid)).toMatchObject([
    { provider: 'google', attachedUnverified: false },
  ])
})

test('a sign-in provider that is linked after the email address was verified counts as linked by a verified user', async () => {
  const { world, ann } = await aNewcomer()
  await world.openMail(ann.email, ann)
  await world.link(ann)
  expect(await world.services.store.providerLinks.listOf(ann.uid)).toMatchObject([
    { attachedUnverified: false },
  ])
})

test('a thief who signed in with Google and another person’s email address can’t sign in once that person has verified it', async () => {
  const issuer = await aMockIssuer({ ...atGoogle, email_verified: false })
  const world = await aWorld(google(issuer))
  await aBrowser(world).open('/auth/provider/google')
  await world.openMail(atGoogle.email)
  const browser = aBrowser(world)
  expect(await browser.open('/auth/provider/google')).toMatchObject({
    reason: 'auth/account-exists-with-different-credential',
  })
  expect(browser.cookie('pergola_refresh')).toBeUndefined()
})

test('all verification links of an account work until one of them is used', async () => {
  const { world, ann } = await aNewcomer()
  for (let index = 0; index < 3; index++) await ann.call('sendVerificationEmail', {})
  const codes = await mailedCodes(world, ann.email)
  for (const oobCode of codes) await world.does('checkActionCode', { oobCode })
  await world.does('applyActionCode', { oobCode: codes[1]! })
  for (const oobCode of codes)
    await world.cannot('checkActionCode', { oobCode }, 'auth/invalid-action-code')
})

test('when four verification links of one account are used twenty times at once, one use succeeds', async () => {
  const { world, ann } = await aNewcomer()
  for (let index = 0; index < 3; index++) await ann.call('sendVerificationEmail', {})
  const codes = await mailedCodes(world, ann.email)
  const answers = await inParallel(20, (index) =>
    world.call('applyActionCode', { oobCode: codes[index % 4]! }),
  )
  expect(countOutcomes(answers)).toEqual({ done: 1, 'auth/invalid-action-code': 19 })
})

test('using one of two password reset links ends the other', async () => {
  const [world, ann] = await aWorldWith('ann')
  const [first, second] = [await world.resetCode(ann.email), await world.resetCode(ann.email)]
  const reset = (oobCode: string) =>
    world.call('confirmPasswordReset', { oobCode, newPassword: 'brand new' })
  expect((await reset(first)).status).toBe(200)
  expect(reasonOf(await reset(second))).toBe('auth/invalid-action-code')
})

test('the links for a change to one email address all work, until the user requests a change to another address', async () => {
  const [world, ann] = await aWorldWith('ann')
  for (let index = 0; index < 2; index++)
    await ann.call('updateEmail', { newEmail: 'first@example.com' })
  const toFirst = await mailedCodes(world, 'first@example.com')
  for (const oobCode of toFirst) await world.does('checkActionCode', { oobCode })
  await ann.call('updateEmail', { newEmail: 'second@example.com' })
  for (const oobCode of toFirst)
    await world.cannot('applyActionCode', { oobCode }, 'auth/invalid-action-code')
  await world.openMail('second@example.com')
})

test.each(['before', 'after'])(
  'rejecting a sign-up with the link, %s it verified the address, ends it at once and deletes it a day later',
  async (when) => {
    const { world, ann: thief } = await aNewcomer()
    const oobCode = await world.mailedCode(thief.email)
    let change: string | undefined
    if (when === 'after') {
      await world.does('applyActionCode', { oobCode })
      await world.link(thief)
      await thief.does('updateEmail', { newEmail: 'thief@example.com' })
      ;[change] = await mailedCodes(world, 'thief@example.com')
    }
    const tab = await openTab(world, thief.token)
    await world.does('rejectVerification', { oobCode })

    expect(await tab.end()).toBe('sessionEnded')
    await thief.cannot('getUser', {}, 'sessionEnded')
    expect((await world.refresh(thief.cookie)).status).toBe(401)
    expect((await world.signIn(thief)).status).toBe(401)
    expect(await world.services.store.providerLinks.listOf(thief.uid)).toEqual([])
    if (change !== undefined)
      await world.cannot('applyActionCode', { oobCode: change }, 'auth/invalid-action-code')
    const isThere = async () => (await world.services.store.users.find(thief.uid)) !== undefined
    world.pass(limits.rejectedAccount - 60_000)
    await removeExpired(world)
    expect(await isThere()).toBe(true)
    world.pass(120_000)
    await removeExpired(world)
    expect(await isThere()).toBe(false)
    const subjects = (await world.mails(thief.email)).map(({ subject }) => subject)
    expect(subjects).toContain('Your Pergola account is deleted')
    await world.does('signUp', { fullName: 'Ann', email: thief.email, password: 'her own one' })
  },
)

test.each<[string, (world: World, email: string, oobCode: string) => Promise<unknown>]>([
  [
    'the link in the mail about it, hours later',
    async (world, email) => {
      const oobCode = await world.mailedCode(email)
      world.pass(limits.rejectedAccount - 60_000)
      await world.does('confirmPasswordReset', { oobCode, newPassword: 'her own one' })
    },
  ],
  [
    'any reset',
    async (world, email) => {
      await world.does('sendPasswordResetEmail', { email })
      await world.untilWorkedOff()
      const mail = (await world.mails(email)).find(({ subject }) => subject.startsWith('Reset'))
      const oobCode = new URL(mail!.links[0]!).searchParams.get('oobCode')!
      await world.does('confirmPasswordReset', { oobCode, newPassword: 'her own one' })
    },
  ],
  [
    'the verification link',
    (world, _, oobCode) => world.does('claimAccount', { oobCode, newPassword: 'her own one' }),
  ],
])('a rejected account stays if %s sets a new password in time', async (_, claim) => {
  const { world, ann } = await aNewcomer()
  const oobCode = await world.mailedCode(ann.email)
  await world.does('rejectVerification', { oobCode })
  await claim(world, ann.email, oobCode)
  world.pass(limits.rejectedAccount)
  await removeExpired(world)
  await world.does('signIn', { email: ann.email, password: 'her own one' })
  await world.cannot('rejectVerification', { oobCode }, 'auth/invalid-action-code')
})

test('a verification link can’t delete an account that owns an active project, and the refusal does not name the project', async () => {
  const { world, ann } = await aNewcomer()
  const { subscriptionId } = await ann.starts()
  const oobCode = await world.mailedCode(ann.email)
  const { error } = await world.call('rejectVerification', { oobCode })
  expect(error!.details).toEqual({ reason: 'ownsActiveProjects' })
  await ann.does('getSubscription', { subscriptionId })
  await ann.cancels(subscriptionId)
  await world.does('rejectVerification', { oobCode })
})

test('only a verification link that was mailed to the current email address and has not expired can delete an account', async () => {
  const { world, ann } = await aNewcomer()
  const oobCode = await world.mailedCode(ann.email)
  const reject = async (oobCode: string) => await world.refusal('rejectVerification', { oobCode })
  expect(await reject('made-up')).toBe('auth/invalid-action-code')
  expect(await reject(await world.resetCode(ann.email))).toBe('auth/invalid-action-code')

  await ann.call('applyActionCode', { oobCode })
  await world.move(ann, 'new@example.com')
  expect(await reject(oobCode)).toBe('auth/invalid-action-code')

  const bob = await world.aPerson('bob')
  const [ofBob] = await mailedCodes(world, bob.email)
  world.pass(limits.actionCodes.verifyEmail)
  expect(await reject(ofBob!)).toBe('auth/expired-action-code')
})

test('wrong codes of a network are limited, and a right one of a neighbour still works', async () => {
  const { world, ann } = await aNewcomer()
  const reject = (oobCode: string) => world.call('rejectVerification', { oobCode })
  expect(reasonOf(await reject('a guess'))).toBe('auth/invalid-action-code')
  await world.useUp('codesByNetwork', 'unknown', rateLimits.codesByNetwork.tries - 1)
  expect(reasonOf(await reject('another guess'))).toBe('auth/too-many-requests')
  const oobCode = await world.mailedCode(ann.email)
  await world.does('checkActionCode', { oobCode })
  expect((await reject(oobCode)).status).toBe(200)
})

test('when a sign-up is rejected ten times at once, one mail says so', async () => {
  const { world, ann } = await aNewcomer()
  const oobCode = await world.mailedCode(ann.email)
  const answers = await inParallel(10, () => world.call('rejectVerification', { oobCode }))
  expect(countOutcomes(answers)).toEqual({ done: 10 })
  const subjects = (await world.mails(ann.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.includes('about to be deleted'))).toHaveLength(1)
})

test('when a sign-up is verified and rejected at once, the account is locked and neither call fails', async () => {
  const world = await aWorld()
  for (let round = 0; round < 20; round++) {
    const person = await world.aPerson(`person${round}`, { verified: false })
    const oobCode = await world.mailedCode(person.email)
    const [verified, rejected] = await Promise.all([
      world.call('applyActionCode', { oobCode }),
      world.call('rejectVerification', { oobCode }),
    ])
    expect([200, 400]).toContain(verified.status)
    expect(rejected.status).toBe(200)
    await person.cannot('getUser', {}, 'sessionEnded')
  }
})

test('until the address is verified, the signed-in user shows when the newest link that can verify it was mailed', async () => {
  const { world, ann } = await aNewcomer()
  const sentAt = async () =>
    (await world.does('signIn', { email: ann.email, password: ann.password })).user.verificationSent
  const first = await sentAt()
  // A mail that leaves later lets the life of its code begin later.
  await world.untilWorkedOff()
  expect(Date.parse(first!) - Date.parse(ann.creationTime)).toBeLessThan(60_000)
  world.pass(60_000)
  await ann.does('sendVerificationEmail', {})
  expect(Date.parse((await sentAt())!) - Date.parse(first!)).toBeGreaterThanOrEqual(60_000)

  await world.untilWorkedOff()
  world.pass(limits.actionCodes.verifyEmail)
  expect(await sentAt()).toBeUndefined()
  await (await world.signedIn(ann)).does('sendVerificationEmail', {})
  expect(await sentAt()).toBeDefined()
  await world.openMail(ann.email)
  expect(await sentAt()).toBeUndefined()
})
