import { limits, rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aBrowser } from '../../tests/sign-in/browser.ts'
import { ann as atGoogle, aMockIssuer, google } from '../../tests/sign-in/mock-issuer.ts'
import { openTab } from '../../tests/tab.ts'
import { aWorld, reasonOf, refusedWith, type Person } from '../../tests/world.ts'

type World = Awaited<ReturnType<typeof aWorld>>

async function aNewcomer() {
  const world = await aWorld()
  return { world, ann: await world.aPerson('ann', { verified: false }) }
}

/** Those in the mails to an address that still are to be seen, the oldest first. */
async function mailedCodes(world: World, to: string) {
  const mails = await world.mails(to)
  return mails.map(({ links }) => new URL(links[0]!).searchParams.get('oobCode')!).toReversed()
}

/** As if somebody had linked it before the address was verified. */
async function link(world: World, { uid }: Person) {
  await world.services.store.providerLinks.add({
    provider: 'google',
    subject: 's',
    userId: uid,
    email: null,
    now: new Date(),
  })
}

async function providersOf(person: Person) {
  return (await person.call('getUser', {})).result!.user.providers
}

test('a verification link says whose address it verified, and ends no session', async () => {
  const { world, ann } = await aNewcomer()
  const bob = await world.aPerson('bob')
  const verified = await bob.call('applyActionCode', { oobCode: await world.mailedCode(ann.email) })
  expect(verified.result).toEqual({
    account: { email: ann.email, displayName: 'ann', creationTime: ann.creationTime },
  })
  expect((await ann.call('getUser', {})).status).toBe(200)
  expect((await bob.call('getUser', {})).status).toBe(200)

  await ann.call('updateEmail', { newEmail: 'new@example.com' })
  expect(
    (await world.call('applyActionCode', { oobCode: await world.mailedCode('new@example.com') }))
      .result,
  ).toEqual({})
})

test('a verification link that was used, or whose sibling was, still says so as long as it lives', async () => {
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

test('a provider that was linked before a stranger’s browser verifies the address is unlinked', async () => {
  const { world, ann } = await aNewcomer()
  await link(world, ann)
  const bob = await world.aPerson('bob')
  const { result } = await bob.call('applyActionCode', {
    oobCode: await world.mailedCode(ann.email),
  })
  expect(result).toMatchObject({ account: { email: ann.email }, unlinked: ['google'] })
  expect(await providersOf(ann)).toEqual([])
  const { activity } = (await ann.call('listOwnActivity', {})).result!
  expect(activity[0]).toMatchObject({
    kind: 'providerUnlinked',
    actor: null,
    subject: 'ann',
    details: { provider: 'google' },
  })
})

test('a provider stays linked if its person verifies the address while signed in, and counts as proved from then on', async () => {
  const { world, ann } = await aNewcomer()
  await link(world, ann)
  const { result } = await ann.call('applyActionCode', {
    oobCode: await world.mailedCode(ann.email),
  })
  expect(result).not.toHaveProperty('unlinked')
  expect(await providersOf(ann)).toEqual(['google'])
  expect(await world.services.store.providerLinks.listOf(ann.uid)).toMatchObject([
    { attachedUnverified: false },
  ])
})

test('a provider stays linked if an invitation’s link verifies the address, and counts as proved from then on', async () => {
  const { world, ann } = await aNewcomer()
  const { id, owner } = await world.aProject()
  await link(world, ann)
  await owner.call('createInvite', { subscriptionId: id, email: ann.email, permissions: [] })
  await ann.call('checkInvite', { code: await world.mailedCode(ann.email) })
  expect(await world.services.store.providerLinks.listOf(ann.uid)).toMatchObject([
    { attachedUnverified: false },
  ])
})

test('a provider that was linked to a verified address is not touched by a link that is used later', async () => {
  const { world, ann } = await aNewcomer()
  await ann.call('applyActionCode', { oobCode: await world.mailedCode(ann.email) })
  await link(world, ann)
  expect(await world.services.store.providerLinks.listOf(ann.uid)).toMatchObject([
    { attachedUnverified: false },
  ])
})

test('a sign-up with somebody else’s address, by a provider that didn’t verify it, gives no way in once the address is proved', async () => {
  const issuer = await aMockIssuer({ ...atGoogle, email_verified: false })
  const world = await aWorld(google(issuer))
  await aBrowser(world).open('/auth/provider/google')
  await world.call('applyActionCode', { oobCode: await world.mailedCode(atGoogle.email) })
  const browser = aBrowser(world)
  expect(await browser.open('/auth/provider/google')).toMatchObject({
    reason: 'auth/account-exists-with-different-credential',
  })
  expect(browser.cookie('atrium_refresh')).toBeUndefined()
})

test('sending a link again leaves the earlier ones good until one of them is used', async () => {
  const { world, ann } = await aNewcomer()
  for (let index = 0; index < 3; index++) await ann.call('sendVerificationEmail', {})
  const codes = await mailedCodes(world, ann.email)
  for (const oobCode of codes)
    expect((await world.call('checkActionCode', { oobCode })).status).toBe(200)
  expect((await world.call('applyActionCode', { oobCode: codes[1]! })).status).toBe(200)
  for (const oobCode of codes)
    expect(reasonOf(await world.call('checkActionCode', { oobCode }))).toBe(
      'auth/invalid-action-code',
    )
})

test('of twenty uses of four links of one kind at once, one wins', async () => {
  const { world, ann } = await aNewcomer()
  for (let index = 0; index < 3; index++) await ann.call('sendVerificationEmail', {})
  const codes = await mailedCodes(world, ann.email)
  const uses = Array.from({ length: 20 }, (_, index) =>
    world.call('applyActionCode', { oobCode: codes[index % 4]! }),
  )
  const answers = await Promise.all(uses)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(refusedWith('auth/invalid-action-code'))).toHaveLength(19)
})

test('of two reset links either works, and ends the other', async () => {
  const world = await aWorld()
  const ann = await world.aPerson()
  for (let index = 0; index < 2; index++)
    await world.call('sendPasswordResetEmail', { email: ann.email })
  const [first, second] = (await mailedCodes(world, ann.email)).slice(-2)
  const reset = (oobCode: string) =>
    world.call('confirmPasswordReset', { oobCode, newPassword: 'brand new' })
  expect((await reset(first!)).status).toBe(200)
  expect(reasonOf(await reset(second!))).toBe('auth/invalid-action-code')
})

test('a change of address that is asked for again leaves the first link good, and ends one to another address', async () => {
  const world = await aWorld()
  const ann = await world.aPerson()
  for (let index = 0; index < 2; index++)
    await ann.call('updateEmail', { newEmail: 'first@example.com' })
  const toFirst = await mailedCodes(world, 'first@example.com')
  for (const oobCode of toFirst)
    expect((await world.call('checkActionCode', { oobCode })).status).toBe(200)
  await ann.call('updateEmail', { newEmail: 'second@example.com' })
  for (const oobCode of toFirst)
    expect(reasonOf(await world.call('applyActionCode', { oobCode }))).toBe(
      'auth/invalid-action-code',
    )
  expect(
    (await world.call('applyActionCode', { oobCode: await world.mailedCode('second@example.com') }))
      .status,
  ).toBe(200)
})

test.each(['before', 'after'])(
  'an account that somebody else made is deleted by the link, %s it is used, with everything of it',
  async (when) => {
    const { world, ann: thief } = await aNewcomer()
    const { id, owner } = await world.aProject()
    const oobCode = await world.mailedCode(thief.email)
    if (when === 'after') {
      await thief.call('applyActionCode', { oobCode })
      await owner.call('createInvite', {
        subscriptionId: id,
        email: thief.email,
        permissions: ['admin'],
      })
      await thief.call('acceptInvite', {
        inviteId: (await thief.call('listInvites', {})).result!.invites[0]!.id,
      })
      await thief.call('createInvite', {
        subscriptionId: id,
        email: 'carl@example.com',
        permissions: [],
      })
      await thief.call('sendPasswordResetEmail', { email: thief.email })
    }
    const tab = await openTab(world, thief.token)
    expect((await world.call('rejectVerification', { oobCode })).result).toEqual({})

    expect(await tab.end()).toBe('sessionEnded')
    expect(reasonOf(await thief.call('getUser', {}))).toBe('sessionEnded')
    expect(
      (await world.call('refreshSession', {}, { headers: { cookie: thief.cookie } })).status,
    ).toBe(401)
    expect(
      (await world.call('signIn', { email: thief.email, password: thief.password })).status,
    ).toBe(401)
    for (const oobCode of await mailedCodes(world, thief.email))
      if (oobCode)
        expect(reasonOf(await world.call('applyActionCode', { oobCode }))).toBe(
          'auth/invalid-action-code',
        )
    const { users } = (await owner.call('getSubscriptionUsers', { subscriptionId: id })).result!
    expect(users.map(({ email }) => email)).toEqual(
      when === 'after' ? [owner.email, 'carl@example.com'] : [owner.email],
    )
    expect((await world.mails(thief.email)).map(({ subject }) => subject)).toContain(
      'Your Atrium account is deleted',
    )
    expect(
      (await world.call('signUp', { fullName: 'Ann', email: thief.email, password: 'her own one' }))
        .status,
    ).toBe(200)
  },
)

test('an account that owns a project is not deleted by the link, and its projects are not named', async () => {
  const { world, ann } = await aNewcomer()
  const { subscriptionId } = (await ann.call('createSubscription', { planId: 'free' })).result!
  const oobCode = await world.mailedCode(ann.email)
  expect((await world.call('rejectVerification', { oobCode })).error!.details).toEqual({
    reason: 'ownsActiveProjects',
  })
  expect((await ann.call('getSubscription', { subscriptionId })).status).toBe(200)
  await ann.call('cancelSubscription', { subscriptionId, confirmationId: subscriptionId })
  expect((await world.call('rejectVerification', { oobCode })).result).toEqual({})
})

test('nothing but a living verification link to the present address deletes an account', async () => {
  const { world, ann } = await aNewcomer()
  const oobCode = await world.mailedCode(ann.email)
  const reject = async (oobCode: string) =>
    reasonOf(await world.call('rejectVerification', { oobCode }))
  expect(await reject('made-up')).toBe('auth/invalid-action-code')
  await world.call('sendPasswordResetEmail', { email: ann.email })
  expect(await reject(await world.mailedCode(ann.email))).toBe('auth/invalid-action-code')

  await ann.call('applyActionCode', { oobCode })
  await ann.call('updateEmail', { newEmail: 'new@example.com' })
  await world.call('applyActionCode', { oobCode: await world.mailedCode('new@example.com') })
  expect(await reject(oobCode)).toBe('auth/invalid-action-code')

  const bob = await world.aPerson('bob')
  const [ofBob] = await mailedCodes(world, bob.email)
  world.pass(limits.actionCodes.verifyEmail)
  expect(await reject(ofBob!)).toBe('auth/expired-action-code')
})

test('guessing links is stopped here too', async () => {
  const { world, ann } = await aNewcomer()
  const { tries } = rateLimits.codesByNetwork
  await Promise.all(
    Array.from({ length: tries }, (_, index) =>
      world.call('rejectVerification', { oobCode: `guess ${index}` }),
    ),
  )
  const stopped = await world.call('rejectVerification', {
    oobCode: await world.mailedCode(ann.email),
  })
  expect(reasonOf(stopped)).toBe('auth/too-many-requests')
})

test('of ten who reject an account at once, one deletes it, and one mail says so', async () => {
  const { world, ann } = await aNewcomer()
  const oobCode = await world.mailedCode(ann.email)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => world.call('rejectVerification', { oobCode })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(refusedWith('auth/invalid-action-code'))).toHaveLength(9)
  expect(
    (await world.mails(ann.email)).filter(
      ({ subject }) => subject === 'Your Atrium account is deleted',
    ),
  ).toHaveLength(1)
})

test('an account that is verified and rejected at once is gone, and neither fails', async () => {
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
    expect(reasonOf(await person.call('getUser', {}))).toBe('sessionEnded')
  }
})
