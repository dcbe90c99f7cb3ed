// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { customersAt } from '../../tests/a-billed-project.ts'
import { aNewcomer, aWorld, countOutcomes, inParallel } from '../../tests/world.ts'

const right = 'anna@example.com'

test('a mistyped address is corrected: the new one gets a link, the links of the former one end, and what the account owns stays', async () => {
  const { world, ann } = await aNewcomer()
  const { email, password } = ann
  const codes = [await world.mailedCode(email), await world.resetCode(email)]
  const { subscriptionId } = await ann.buys()
  await ann.cannot('updateEmail', { newEmail: right }, 'auth/operation-not-allowed')
  expect(await ann.does('correctEmail', { email: ' Anna@Example.com' })).toEqual({})

  for (const oobCode of codes)
    await world.cannot('checkActionCode', { oobCode }, 'auth/invalid-action-code')
  await world.cannot('signIn', { email, password }, 'auth/invalid-credential')
  const { user } = (await world.signIn({ ...ann, email: right })).result!
  const unproved = { uid: ann.uid, emailVerified: false, claimed: false }
  expect(user).toMatchObject({ ...unproved, verificationSent: expect.any(String) })
  expect(await ann.project(subscriptionId)).toMatchObject({ owner_id: ann.uid })
  await world.untilWorkedOff()
  expect(await customersAt(world)).toMatchObject([{ email: right }])

  // The former address is free, and its owner finds nothing of the account.
  const stranger = await world.aPerson('ann')
  expect(await stranger.projects()).toEqual([])

  await world.openMail(right, ann)
  await ann.cannot('correctEmail', { email: 'again@example.com' }, 'alreadyVerified')
})

test('an address is not corrected to one that is taken, reserved or the same, nor with an old sign-in, too often, or by two at once', async () => {
  const { world, ann } = await aNewcomer()
  const [bob, carl] = await world.somePeople('bob', 'carl')
  await world.move(carl, 'carl@moved.example')
  const refused = [
    [bob.email, 'auth/email-already-in-use'],
    ['carl@example.com', 'auth/email-already-in-use'],
    [ann.email.toUpperCase(), 'emailUnchanged'],
  ] as const
  for (const [email, reason] of refused) await ann.cannot('correctEmail', { email }, reason)

  const eve = await world.aPerson('eve', { verified: false })
  const both = [ann, eve].map((person) => person.call('correctEmail', { email: right }))
  const outcomes = countOutcomes(await Promise.all(both))
  expect(outcomes).toEqual({ done: 1, 'auth/email-already-in-use': 1 })

  const tries = rateLimits.emailChangeByAccount.tries + 1
  const many = (index: number) => eve.call('correctEmail', { email: `eve${index}@example.com` })
  expect(countOutcomes(await inParallel(tries, many))).toMatchObject({
    'auth/too-many-requests': 2,
  })
  world.pass(limits.sessions.recentSignIn + 1)
  await ann.cannot('correctEmail', { email: 'anne@example.com' }, 'auth/requires-recent-login')
})

test('a stranger who corrects an address to another person’s sees none of their invitations, and keeps nothing once they come', async () => {
  const world = await aWorld()
  const { id, owner } = await world.aProject()
  const stranger = await world.aPerson('stranger', { verified: false })
  await owner.invites(id, right)
  await stranger.does('correctEmail', { email: right })
  expect(await stranger.does('listInvites', {})).toEqual({ invites: [], waiting: true })
  const oobCode = await world.mailedCode(right)
  const newPassword = 'a password of her own'
  const { token } = await world.does('claimAccount', { oobCode, newPassword })
  expect((await world.does('listInvites', {}, { token })).invites).toHaveLength(1)
  await stranger.cannot('correctEmail', { email: stranger.email }, 'sessionEnded')
})

test('after a change of address that nobody has claimed, a correction leaves the first address its way back', async () => {
  const world = await aWorld()
  const ann = await world.aPerson('ann')
  await ann.does('updateEmail', { newEmail: 'anm@example.com' })
  await world.openMail('anm@example.com')
  const oobCode = await world.mailedCode(ann.email)
  await ann.does('correctEmail', { email: right })
  await world.does('applyActionCode', { oobCode })
  const row = await world.services.store.users.find(ann.uid)
  expect(row).toMatchObject({ email: ann.email, emailVerified: true, claimed: true })
})
