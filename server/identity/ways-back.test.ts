// @module-tag slow
import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aBrowser } from '../../tests/sign-in/browser.ts'
import { ann as atGoogle, aMockIssuer, google } from '../../tests/sign-in/mock-issuer.ts'
import { aWorld, type Person, type World } from '../../tests/world.ts'

const newPassword = 'a password of her own'
const ann = atGoogle.email

/** A stranger has moved their own account to Ann's address. She pressed the button in the mail. */
async function aTrojan(environment: Record<string, string> = {}) {
  const world = await aWorld(environment)
  const stranger = await world.aPerson('stranger')
  await stranger.does('updateEmail', { newEmail: ann })
  const changed = await codeIn(world, ann, 'Confirm')
  await world.does('applyActionCode', { oobCode: changed })
  return { world, stranger }
}

/** The code of the newest mail to an address with this text in its subject. */
async function codeIn(world: World, to: string, subject: string) {
  await world.untilWorkedOff()
  const mail = (await world.mails(to)).find((mail) => mail.subject.includes(subject))
  return new URL(mail!.links[0]!).searchParams.get('oobCode')!
}

async function resetCode(world: World, email: string) {
  await world.does('sendPasswordResetEmail', { email })
  return codeIn(world, email, 'Reset your')
}

async function reset(world: World, email: string, answer: { wasMine?: boolean } = {}) {
  const oobCode = await resetCode(world, email)
  await world.does('confirmPasswordReset', { oobCode, newPassword, ...answer })
  return world.signedIn({ email, password: newPassword })
}

async function rowOf(world: World, { uid }: Pick<Person, 'uid'>) {
  return (await world.services.store.users.find(uid))!
}

const wayBack = (world: World) => codeIn(world, 'stranger@example.com', 'was changed')

test('a change of address that is confirmed without a session leaves the account unclaimed', async () => {
  const { world, stranger } = await aTrojan()
  expect(await rowOf(world, stranger)).toMatchObject({
    email: ann,
    emailVerified: true,
    claimed: false,
  })
  const { id, owner } = await world.aProject()
  await owner.invites(id, ann)
  expect(await stranger.does('listInvites', {})).toEqual({ invites: [], waiting: true })
  await stranger.does('sendVerificationEmail', {})
})

test('a change of address that is confirmed in the account’s session leaves it claimed', async () => {
  const world = await aWorld()
  const person = await world.aPerson()
  await world.move(person, 'new@example.com')
  expect(await rowOf(world, person)).toMatchObject({ email: 'new@example.com', claimed: true })
})

test.each<[string, (world: World, stranger: Person) => Promise<unknown>]>([
  ['a reset', (world) => reset(world, ann)],
  ['a reset that says that the account is hers', (world) => reset(world, ann, { wasMine: true })],
  [
    'a claim with a new password',
    async (world, stranger) => {
      await stranger.does('sendVerificationEmail', {})
      const oobCode = await codeIn(world, ann, 'Verify')
      await world.does('claimAccount', { oobCode, newPassword })
    },
  ],
  [
    'a change of the password',
    async (world) => {
      const person = await reset(world, ann)
      await person.does('updatePassword', { newPassword: `${newPassword} again` })
      await person.does('revokeOtherSessions', {})
    },
  ],
])('%s from a new address does not end the way back of the former address', async (_, act) => {
  const { world, stranger } = await aTrojan()
  const oobCode = await wayBack(world)
  await act(world, stranger)
  expect(await rowOf(world, stranger)).toMatchObject({ email: ann, claimed: true })
  world.pass(limits.actionCodes.recoverEmail - 60_000)
  await world.does('applyActionCode', { oobCode })
  expect(await rowOf(world, stranger)).toMatchObject({ email: stranger.email })
})

test('a reset from a new address asks until when the account was another’s, while there is a way back', async () => {
  const { world } = await aTrojan()
  const oobCode = await resetCode(world, ann)
  const { addressChanged } = await world.does('checkActionCode', { oobCode })
  expect(Date.now() - Date.parse(addressChanged!)).toBeLessThan(60_000)
  await world.untilWorkedOff()
  world.pass(limits.actionCodes.recoverEmail)
  const later = await resetCode(world, ann)
  expect(await world.does('checkActionCode', { oobCode: later })).not.toHaveProperty(
    'addressChanged',
  )
})

test('somebody who says at a reset that an account was never theirs gets an empty one, and its owner theirs back', async () => {
  const { world, stranger } = await aTrojan()
  const { subscriptionId } = await stranger.starts()
  const person = await reset(world, ann, { wasMine: false })
  expect(person).toMatchObject({ email: ann, emailVerified: true, claimed: true })
  expect(person.uid).not.toBe(stranger.uid)
  expect(await person.projects()).toEqual([])

  // The former account is locked, as by the link that restores an address.
  await stranger.cannot('getUser', {}, 'sessionEnded')
  const { email, password } = stranger
  await world.cannot('signIn', { email, password }, 'auth/invalid-credential')
  const again = await reset(world, email)
  expect(again.uid).toBe(stranger.uid)
  await again.project(subscriptionId)
  await person.does('getUser', {})
})

test('a sign-in with Google never lands in an account that came to the address unclaimed', async () => {
  const { world, stranger } = await aTrojan(google(await aMockIssuer(atGoogle)))
  const browser = aBrowser(world)
  expect(await browser.open('/auth/provider/google')).toMatchObject({ outcome: 'signedIn' })
  const { user } = await browser.whoAmI()
  expect(user).toMatchObject({ email: ann, claimed: true })
  expect(user.uid).not.toBe(stranger.uid)
  expect(await rowOf(world, stranger)).toMatchObject({ email: stranger.email })
  await stranger.cannot('getUser', {}, 'sessionEnded')
})

test('rejecting an account that came to the address gives it back instead of deleting it', async () => {
  const { world, stranger } = await aTrojan()
  await stranger.does('sendVerificationEmail', {})
  const oobCode = await codeIn(world, ann, 'Verify')
  expect(await world.does('rejectVerification', { oobCode })).toEqual({ returned: true })
  expect(await rowOf(world, stranger)).toMatchObject({ email: stranger.email, rejectedAt: null })
  await world.does('signUp', { fullName: 'Ann', email: ann, password: newPassword })
})

test('of several ways back, an answer from the newest address uses the newest', async () => {
  const { world, stranger } = await aTrojan()
  world.pass(1000)
  const first = await wayBack(world)
  const again = await world.signedIn({ email: ann, password: stranger.password })
  await again.does('updateEmail', { newEmail: 'third@example.com' })
  await world.does('applyActionCode', {
    oobCode: await codeIn(world, 'third@example.com', 'Confirm'),
  })
  const third = await reset(world, 'third@example.com', { wasMine: false })
  expect(third.uid).not.toBe(stranger.uid)
  expect(await rowOf(world, stranger)).toMatchObject({ email: ann })
  await world.does('applyActionCode', { oobCode: first })
  expect(await rowOf(world, stranger)).toMatchObject({ email: stranger.email })
})

test('nobody can change to an address that a mailed link can still give back to another account', async () => {
  const world = await aWorld()
  const [owner, other] = await world.somePeople('owner', 'other')
  const former = owner.email
  await other.does('updateEmail', { newEmail: 'free@example.com' })
  await world.move(owner, 'moved@example.com')
  await other.cannot('updateEmail', { newEmail: former }, 'auth/email-already-in-use')
  await world.move({ ...owner, email: 'moved@example.com' }, former)
  expect(await rowOf(world, owner)).toMatchObject({ email: former })
})

test('a link to change to an address is refused once that address is another account’s former one', async () => {
  const world = await aWorld()
  const [owner, other] = await world.somePeople('owner', 'other')
  await world.move(owner, 'wanted@example.com')
  await world.move(owner, 'owner@example.com')
  await world.move(owner, 'wanted@example.com')
  await world.untilWorkedOff()
  world.pass(limits.actionCodes.recoverEmail)
  const [again, late] = [
    await world.signedIn({ ...owner, email: 'wanted@example.com' }),
    await world.signedIn(other),
  ]
  await late.does('updateEmail', { newEmail: 'third@example.com' })
  const change = await codeIn(world, 'third@example.com', 'Confirm')
  await world.move(again, 'third@example.com')
  await world.move(again, 'fourth@example.com')
  await world.cannot('applyActionCode', { oobCode: change }, 'auth/email-already-in-use')
})

test('signing out ends a change of address that was asked for in that session', async () => {
  const world = await aWorld()
  const thief = await world.aPerson()
  await thief.does('updateEmail', { newEmail: 'thief@example.com' })
  const oobCode = await codeIn(world, 'thief@example.com', 'Confirm')
  await thief.does('signOut', {})
  await world.cannot('applyActionCode', { oobCode }, 'auth/invalid-action-code')
})
