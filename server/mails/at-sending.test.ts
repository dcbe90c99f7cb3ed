// @module-tag slow
import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { holdMails } from '../../tests/jobs.ts'
import { aWorld, type World } from '../../tests/world.ts'

const day = 24 * 3600

test('invitations and account links that were used, revoked or replaced while the mail server was away are not mailed, and news is', async () => {
  const world = await aWorld()
  const [owner, moe, lea] = await world.somePeople('owner', 'moe', 'lea')
  const ned = await world.aPerson('ned', { verified: false })
  const { subscriptionId } = await owner.starts()
  const canceled = (await owner.starts()).subscriptionId
  await world.untilWorkedOff()
  await world.pool.query('update kept_mails set "to" = $1 || "to" where "to" <> $2', [
    'old-',
    ned.email,
  ])

  const comeBack = await holdMails(world)
  const invite = (email: string, id = subscriptionId) => owner.invites(id, email)
  const revoked = await invite('revoked@example.com')
  await owner.does('revokeInvite', { subscriptionId, ...revoked })
  const joined = await invite('lea@example.com')
  await lea.does('acceptInvite', joined)
  await invite('late@example.com', canceled)
  await owner.cancels(canceled)
  await invite('guest@example.com')
  await owner.renames(subscriptionId, 'Engine')
  await ned.does('sendVerificationEmail', {})
  await world.openMail(ned.email, ned)
  await moe.does('updateEmail', { newEmail: 'moved@example.com' })
  await moe.does('updatePassword', { newPassword: 'another horse' })
  await world.does('sendPasswordResetEmail', { email: lea.email })
  await world.untilWorkedOff()
  world.pass(2 * limits.actionCodes.resetPassword)
  await comeBack()

  const subjects = Object.fromEntries(
    await Promise.all(
      ['revoked', 'late', 'guest', 'moved', 'lea', 'moe', 'ned', 'owner'].map(async (name) => [
        name,
        await mailed(world, `${name}@example.com`),
      ]),
    ),
  )
  expect(subjects).toEqual({
    revoked: [],
    late: [],
    guest: ['owner invites you to Engine on Pergola'],
    moved: [],
    lea: ['Reset your Pergola password'],
    moe: [
      'A new address was requested for your Pergola account',
      'The password of your Pergola account was changed',
    ],
    ned: ['Verify your email address for Pergola'],
    owner: ['lea joined Engine', 'Untitled Project is canceled'],
  })
  // The link works for an hour from now, as its mail says.
  world.pass(0.9 * limits.actionCodes.resetPassword)
  const oobCode = await world.mailedCode(lea.email)
  await world.does('confirmPasswordReset', { oobCode, newPassword: 'a third horse' })
})

test('a mail that asks to pay or to add a card is not sent once that is done, and goes to who has to do it by then', async () => {
  const world = await aWorld()
  const { owner, subscriptionId: paid, project } = await aBilledProject({ world })
  const [bob, amy] = await world.somePeople('bob', 'amy')
  const [canceled, moved, left] = [await owner.buys(), await owner.buys(), await bob.buys()].map(
    (bought) => bought.subscriptionId,
  ) as [string, string, string]
  for (const [id, admin] of [[moved, bob] as const, [left, amy] as const])
    await world.addMember(id, admin, ['admin'])
  const [good] = await owner.cards(paid)
  for (const id of [paid, canceled, moved])
    await world.payWith(owner, id, 'pm_card_chargeCustomerFail')
  for (const [id, name] of Object.entries({ [canceled]: 'Canceled', [moved]: 'Moved' }))
    await owner.renames(id, name)
  await bob.renames(left, 'Left')
  await bob.does('transferSubscriptionOwnership', {
    subscriptionId: left,
    newOwnerId: amy.uid,
    keepCard: true,
  })
  await world.untilWorkedOff()
  await world.pool.query('delete from kept_mails')

  const comeBack = await holdMails(world)
  const [card] = await amy.cards(left)
  await bob.does('deleteOwnPaymentMethod', { subscriptionId: left, paymentMethodId: card!.id })
  await world.untilWorkedOff()
  const waiting = async () => {
    const mails = "select payload->>'mail' mail from jobs order by 1"
    return (await world.pool.query<{ mail: string }>(mails)).rows.map(({ mail }) => mail)
  }
  expect(await waiting()).toEqual(['cardMissing'])
  await world.payWith(amy, left, 'pm_card_visa')
  await world.passAtProvider(7 * day + 7200)
  expect(await project()).toMatchObject({ payment: 'past_due' })
  expect((await waiting()).filter((mail) => mail !== 'cardMissing')).toEqual([
    ...Array.from({ length: 3 }, () => 'paymentFailed'),
    'projectUnpaid',
    'receipt',
  ])
  await owner.does('payInvoice', { subscriptionId: paid, paymentMethodId: good!.id })
  await owner.cancels(canceled)
  await owner.transfers(moved, bob)
  await world.untilWorkedOff()
  await comeBack()
  const subjects = async (to: string) => (await mailed(world, to)).toSorted()
  expect(await subjects(owner.email)).toEqual([
    'Canceled is canceled',
    expect.stringMatching(/^Your receipt for invoice \w+-\d+: \$10\.00$/),
    'bob now owns Moved',
  ])
  expect(await subjects(bob.email)).toEqual([
    "The payment for Moved didn't go through",
    'You now own Moved',
  ])
  expect(await subjects(amy.email)).toEqual(['Your receipt for Left: $10.00'])
})

async function mailed(world: World, to: string) {
  return (await world.mails(to)).map(({ subject }) => subject).toReversed()
}
