// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aBrowser } from '../../tests/sign-in/browser.ts'
import { ann as atGoogle, aMockIssuer, google } from '../../tests/sign-in/mock-issuer.ts'
import { aWorld, inParallel, type Person, type World } from '../../tests/world.ts'

const newPassword = 'a password of her own'

/** Somebody else has signed up with Ann's address, and a scanner has opened the mailed link. */
async function aTrap(environment: Record<string, string> = {}) {
  const world = await aWorld(environment)
  const thief = await world.aPerson('ann', { verified: false })
  const oobCode = await world.mailedCode(thief.email)
  await world.does('applyActionCode', { oobCode })
  return { world, thief, oobCode }
}

async function userOf(world: World, email: string) {
  return (await world.services.store.users.findByEmail(email))!
}

async function expectNoAccess(world: World, { email, password, cookie, cannot }: Person) {
  await cannot('getUser', {}, 'sessionEnded')
  await world.cannot('signIn', { email, password }, 'auth/invalid-credential')
  await world.cannot('refreshSession', {}, 'sessionEnded', { headers: { cookie } })
}

async function expectAccess(world: World, { email, password, does }: Person) {
  await does('getUser', {})
  await world.does('signIn', { email, password })
}

async function reset(world: World, email: string) {
  await world.does('sendPasswordResetEmail', { email })
  await world.untilWorkedOff()
  const mail = (await world.mails(email)).find(({ subject }) => subject.startsWith('Reset'))
  const oobCode = new URL(mail!.links[0]!).searchParams.get('oobCode')!
  await world.does('confirmPasswordReset', { oobCode, newPassword })
  return world.signedIn({ email, password: newPassword })
}

test('until an account is claimed, its user sees no invitations, joins nothing and links nothing', async () => {
  const { world, thief } = await aTrap()
  const { id, owner } = await world.aProject()
  const { inviteId } = await owner.invites(id, thief.email, ['admin'])
  expect((await world.signIn(thief)).result!.user).toMatchObject({
    emailVerified: true,
    claimed: false,
  })
  const told = { invites: [], waiting: true }
  expect(await thief.does('listInvites', {})).toEqual(told)
  for (const answer of ['acceptInvite', 'rejectInvite'] as const)
    await thief.cannot(answer, { inviteId }, 'claimRequired')
  const link = { provider: 'google', intent: 'link' } as const
  await thief.cannot('startProviderFlow', link, 'claimRequired')
  expect((await thief.does('exportUser', {})).data['invitations_received']).toEqual([])
  await thief.does('sendVerificationEmail', {})
})

test('an account with a verified address may invite people and own projects before it is claimed', async () => {
  const { world, thief: ann } = await aTrap()
  const { subscriptionId } = await ann.starts()
  await ann.invites(subscriptionId, 'bob@example.com')
  expect(await world.mails('bob@example.com')).toHaveLength(1)
})

type Way = (trap: Awaited<ReturnType<typeof aTrap>>) => Promise<unknown>

test.each<[string, Way]>([
  [
    'a link that a scanner used',
    ({ thief: ann, oobCode }) => ann.does('applyActionCode', { oobCode }),
  ],
  [
    'a link that was mailed again',
    async ({ world, thief: ann }) => {
      await ann.does('sendVerificationEmail', {})
      await world.openMail(ann.email, ann)
    },
  ],
  [
    'the link of an invitation',
    async ({ world, thief: ann }) => {
      const { id, owner } = await world.aProject()
      await owner.invites(id, ann.email)
      await ann.does('checkInvite', { code: await world.mailedCode(ann.email) })
    },
  ],
  [
    'the link of an invitation that has been revoked',
    async ({ world, thief: ann }) => {
      const { id: subscriptionId, owner } = await world.aProject()
      const { inviteId } = await owner.invites(subscriptionId, ann.email)
      const code = await world.mailedCode(ann.email)
      await owner.does('revokeInvite', { subscriptionId, inviteId })
      await ann.cannot('checkInvite', { code }, 'inviteNotPending')
    },
  ],
  [
    'its session and claimAccount',
    async ({ world, thief: ann, oobCode }) => {
      const { token, user } = await ann.does('claimAccount', { oobCode })
      expect(user).toMatchObject({ uid: ann.uid, claimed: true })
      await world.does('getUser', {}, { token })
    },
  ],
  [
    'its password',
    async ({ world, thief: { password, uid }, oobCode }) => {
      const { token, user } = await world.does('claimAccount', { oobCode, password })
      expect(user).toMatchObject({ uid, claimed: true })
      await world.does('getUser', {}, { token })
    },
  ],
])('an account is claimed by %s, which ends no access', async (_, claim) => {
  const trap = await aTrap()
  const { world, thief: ann } = trap
  await claim(trap)
  expect(await userOf(world, ann.email)).toMatchObject({ emailVerified: true, claimed: true })
  await expectAccess(world, ann)
  await ann.cannot('sendVerificationEmail', {}, 'alreadyVerified')
})

test.each<[string, Way]>([
  [
    'a new password on the page of the link',
    async ({ world, thief, oobCode }) => {
      const { user, token } = await world.does('claimAccount', { oobCode, newPassword })
      expect(user).toMatchObject({ uid: thief.uid, claimed: true })
      await world.does('getUser', {}, { token })
    },
  ],
  ['a password reset', ({ world, thief: { email } }) => reset(world, email)],
  ['a sign-in with Google', ({ world }) => aBrowser(world).open('/auth/provider/google')],
])('an account that is claimed by %s has lost all former access', async (_, claim) => {
  const trap = await aTrap(google(await aMockIssuer(atGoogle)))
  const { world, thief } = trap
  const { subscriptionId } = await thief.buys()
  await world.link(thief, 'github')
  await thief.does('updateEmail', { newEmail: 'thief@example.com' })
  const change = await world.mailedCode('thief@example.com')
  await claim(trap)

  const user = await userOf(world, thief.email)
  expect(user).toMatchObject({ id: thief.uid, claimed: true })
  await expectNoAccess(world, thief)
  await world.cannot('applyActionCode', { oobCode: change }, 'auth/invalid-action-code')
  const links = await world.services.store.providerLinks.listOf(user.id)
  expect(links.map(({ provider }) => provider)).not.toContain('github')
  const ann = await reset(world, thief.email)
  expect(await ann.cards(subscriptionId)).toEqual([])
  expect(await ann.does('listOwnPaymentMethods', {})).toEqual({ paymentMethods: [] })
})

test('accounts that prove their address from the start are claimed', async () => {
  const world = await aWorld(google(await aMockIssuer(atGoogle)))
  await aBrowser(world).open('/auth/provider/google')
  expect(await userOf(world, atGoogle.email)).toMatchObject({ claimed: true })

  const { id, owner } = await world.aProject()
  await owner.invites(id, 'bob@example.com')
  const inviteCode = await world.mailedCode('bob@example.com')
  const bob = { fullName: 'Bob', email: 'bob@example.com', password: newPassword, inviteCode }
  expect((await world.does('signUp', bob)).user).toMatchObject({ claimed: true })
})

test('a verification link verifies without a session as before, and claims nothing', async () => {
  const world = await aWorld()
  const ann = await world.aPerson('ann', { verified: false })
  const { displayName, creationTime, email } = ann
  expect(await world.openMail(email)).toEqual({ account: { email, displayName, creationTime } })
  expect((await world.signIn(ann)).result!.user).toMatchObject({
    emailVerified: true,
    claimed: false,
  })
})

test('claimAccount refuses two passwords, none from a stranger, and a link that has expired', async () => {
  const { world, thief: ann, oobCode } = await aTrap()
  const bob = await world.aPerson('bob')
  const both = { oobCode, newPassword, password: newPassword }
  expect((await world.call('claimAccount', both)).error!.details).toMatchObject({
    reason: 'invalidInput',
    fields: { newPassword: 'unknown' },
  })
  for (const { token } of [{ token: undefined }, bob])
    expect((await world.call('claimAccount', { oobCode }, { token })).error!.details).toMatchObject(
      {
        reason: 'invalidInput',
        fields: { password: 'required' },
      },
    )
  await world.cannot('claimAccount', { oobCode, password: 'wrong' }, 'auth/invalid-credential')
  await world.cannot('claimAccount', { oobCode: 'x', newPassword }, 'auth/invalid-action-code')
  world.pass(limits.actionCodes.verifyEmail)
  await world.cannot('claimAccount', { oobCode, newPassword }, 'auth/expired-action-code')
  expect(await userOf(world, ann.email)).toMatchObject({ claimed: false })
})

test('wrong passwords for claimAccount count as wrong passwords for a sign-in', async () => {
  const { world, thief: ann, oobCode } = await aTrap()
  const { tries } = rateLimits.failedSignInByAccountAndNetwork
  for (let index = 0; index < tries; index++)
    await world.cannot('claimAccount', { oobCode, password: 'wrong' }, 'auth/invalid-credential')
  const { email, password } = ann
  await world.cannot('signIn', { email, password }, 'auth/too-many-requests')
})

test('a link of an account that is claimed changes no password and deletes nothing', async () => {
  const { world, thief: ann, oobCode } = await aTrap()
  await ann.does('applyActionCode', { oobCode })
  const { error } = await world.call('claimAccount', { oobCode, newPassword })
  expect(error!.details).toMatchObject({
    reason: 'auth/invalid-action-code',
    account: { email: ann.email, claimed: true },
  })
  await world.cannot('rejectVerification', { oobCode }, 'auth/invalid-action-code')
  await expectAccess(world, ann)
  await world.does('claimAccount', { oobCode, password: ann.password })
})

test('of ten new passwords that claim an account at once, one is set', async () => {
  const { world, thief, oobCode } = await aTrap()
  const answers = await inParallel(10, (index) =>
    world.call('claimAccount', { oobCode, newPassword: `${newPassword} ${index}` }),
  )
  expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
  const winner = answers.findIndex(({ status }) => status === 200)
  await world.does('signIn', { email: thief.email, password: `${newPassword} ${winner}` })
})

test('somebody who signs in with Google in place of an unclaimed account’s stranger gets it', async () => {
  const { world, thief } = await aTrap(google(await aMockIssuer(atGoogle)))
  const browser = aBrowser(world)
  expect(await browser.open('/auth/provider/google')).toMatchObject({ outcome: 'signedIn' })
  expect((await browser.whoAmI()).user).toMatchObject({ uid: thief.uid, claimed: true })
})

test('the stranger’s own provider does not claim an account with an unverified address', async () => {
  const issuer = await aMockIssuer({ ...atGoogle, email_verified: false })
  const world = await aWorld(google(issuer))
  const browser = aBrowser(world)
  await browser.open('/auth/provider/google')
  await browser.open('/auth/provider/google')
  expect((await browser.whoAmI()).user).toMatchObject({ claimed: false })
})
