// @module-tag slow
import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aProject } from '../../tests/world.ts'

async function aTeamThatInvites() {
  const project = await aProject({ people: { admin: ['admin'], member: [] } })
  const subscriptionId = project.id
  const { inviteId } = await project.admin.does('createInvite', {
    subscriptionId,
    email: 'zoe@example.com',
    permissions: ['editor'],
    name: 'Zoe',
  })
  const asOf = { subscriptionId, inviteId }
  return { ...project, subscriptionId, inviteId, asOf }
}

test('revoking an invitation ends its link, frees its seat and removes it from the list of users', async () => {
  const { world, owner, asOf, subscriptionId, inviteId } = await aTeamThatInvites()
  const code = await world.mailedCode('zoe@example.com')
  const zoe = await world.aPerson('zoe')
  await owner.does('revokeInvite', asOf)
  expect((await world.call('checkInvite', { code })).error!.details).toMatchObject({
    reason: 'inviteNotPending',
    status: 'revoked',
  })
  await zoe.cannot('acceptInvite', { inviteId }, 'inviteNotPending')
  expect((await zoe.does('listInvites', {})).invites).toEqual([])
  expect(await owner.seats(subscriptionId)).toMatchObject({ members: 3, pending: 0 })
  await owner.cannot('revokeInvite', asOf, 'inviteNotPending')
  await owner.cannot('resendInvite', asOf, 'inviteNotPending')
  await owner.invites(subscriptionId, 'zoe@example.com')
})

test('members without administrator rights can’t revoke an invitation', async () => {
  const { owner, member, asOf } = await aTeamThatInvites()
  await member.cannot('revokeInvite', asOf, 'adminOnly')
  await owner.does('revokeInvite', asOf)
})

test('an administrator can’t revoke or resend invitations of another project', async () => {
  const { world, inviteId } = await aTeamThatInvites()
  const stranger = await world.aPerson('stranger')
  const { subscriptionId } = await stranger.starts()
  for (const call of ['revokeInvite', 'resendInvite'] as const) {
    await stranger.cannot(call, { subscriptionId, inviteId }, 'inviteNotFound')
    await stranger.cannot(call, { subscriptionId, inviteId: 'none' }, 'inviteNotFound')
  }
})

test('resending an invitation mails a new link that works for fourteen days, and ends the old link', async () => {
  const { world, owner, asOf } = await aTeamThatInvites()
  const old = await world.mailedCode('zoe@example.com')
  world.pass(limits.invites.live - 60_000)
  const later = await world.signedIn(owner)
  await later.does('resendInvite', asOf)
  const [mail] = await world.mails('zoe@example.com')
  expect(mail).toMatchObject({
    subject: 'owner invites you to Untitled Project on Pergola',
    text: expect.stringContaining('Hi Zoe,'),
  })
  const code = await world.mailedCode('zoe@example.com')
  expect(code).not.toBe(old)
  await world.cannot('checkInvite', { code: old }, 'inviteNotFound')
  world.pass(limits.invites.live - 60_000)
  expect((await world.does('checkInvite', { code })).invite).toMatchObject({
    permissions: ['access', 'editor'],
  })
  world.pass(60_000)
  await world.cannot('checkInvite', { code }, 'inviteExpired')
})

test('an accepted or rejected invitation can’t be revoked or resent', async () => {
  const { world, admin, asOf, inviteId, subscriptionId } = await aTeamThatInvites()
  const zoe = await world.aPerson('zoe')
  await zoe.call('acceptInvite', { inviteId })
  const yan = await world.aPerson('yan')
  const second = await admin.triesToInvite(subscriptionId, yan.email)
  await yan.call('rejectInvite', second.result!)
  for (const id of [inviteId, second.result!.inviteId]) {
    await admin.cannot('revokeInvite', { ...asOf, inviteId: id }, 'inviteNotPending')
    await admin.cannot('resendInvite', { ...asOf, inviteId: id }, 'inviteNotPending')
  }
  expect(await admin.seats(subscriptionId)).toMatchObject({ members: 4, pending: 0 })
})

test('resending an expired invitation takes a seat again, and is refused if no seat is free', async () => {
  const { world, owner, asOf, subscriptionId } = await aTeamThatInvites()
  const code = await world.mailedCode('zoe@example.com')
  world.pass(limits.invites.live)
  await world.addMembers(subscriptionId, 7)
  const later = await world.signedIn(owner)
  const full = await later.call('resendInvite', asOf)
  expect(full.error!.details).toMatchObject({ reason: 'seatsFull', seats: 10 })
  await world.cannot('checkInvite', { code }, 'inviteExpired')
  expect(await world.mails('zoe@example.com')).toHaveLength(1)
  const { users } = await later.does('getSubscriptionUsers', { subscriptionId })
  await later.call('removeUser', { subscriptionId, userId: users.at(-1)!.id })
  await later.does('resendInvite', asOf)
  expect(await later.seats(subscriptionId)).toMatchObject({ members: 9, pending: 1 })
})

test('canceling a project ends its invitations', async () => {
  const { world, owner, subscriptionId } = await aTeamThatInvites()
  const code = await world.mailedCode('zoe@example.com')
  await owner.does('cancelSubscription', { subscriptionId, confirmationId: subscriptionId })
  expect((await world.call('checkInvite', { code })).error!.details).toMatchObject({
    status: 'revoked',
  })
})
