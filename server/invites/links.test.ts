// @module-tag slow
import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aProject } from '../../tests/world.ts'

async function anInvitedBob() {
  const project = await aProject({ people: { admin: ['admin'], member: [] } })
  const subscriptionId = project.id
  const { inviteId } = await project.owner.invites(subscriptionId, 'bob@example.com', ['editor'])
  const asOf = { subscriptionId, inviteId }
  const link = async () => (await project.admin.does('createInviteLink', asOf)).code
  return { ...project, subscriptionId, inviteId, asOf, link }
}

test('a copied link opens the same invitation as the mailed one, and does not verify the address', async () => {
  const { world, subscriptionId, inviteId, link } = await anInvitedBob()
  const [mailed, code] = [await world.mailedCode('bob@example.com'), await link()]
  const bob = await world.aPerson('bob', { verified: false })
  const opened = await bob.does('checkInvite', { code })
  expect(opened).toMatchObject({ invite: { id: inviteId, email: bob.email }, isMailed: false })
  await bob.cannot('acceptInvite', { inviteId }, 'emailNotVerified')
  expect((await bob.does('listInvites', {})).invites).toEqual([])
  expect(await world.does('checkInvite', { code })).toEqual(opened)

  await world.openMail(bob.email, bob)
  await bob.does('acceptInvite', { inviteId })
  expect((await bob.project(subscriptionId)).permissions.editor).toEqual([bob.uid])
  expect(mailed).not.toBe(code)
})

test('nobody signs up with the code of a copied link, which does not prove the address', async () => {
  const { world, link } = await anInvitedBob()
  const person = { fullName: 'Bob Baker', email: 'bob@example.com', password: 'over the bridge' }
  const withCode = { ...person, inviteCode: await link() }
  await world.cannot('signUp', withCode, 'inviteNotFound')
  const { user } = await world.does('signUp', person)
  expect(user.emailVerified).toBe(false)
})

test('a copied link does not tell whether the invited person has an account', async () => {
  const { world, link } = await anInvitedBob()
  const mailed = await world.mailedCode('bob@example.com')
  await world.aPerson('bob')
  expect(await world.does('checkInvite', { code: await link() })).toMatchObject({
    hasAccount: false,
  })
  expect(await world.does('checkInvite', { code: mailed })).toMatchObject({ hasAccount: true })
})

test('a copied link does not let another person join', async () => {
  const { world, inviteId, link } = await anInvitedBob()
  const mallory = await world.aPerson('mallory')
  await mallory.does('checkInvite', { code: await link() })
  await mallory.cannot('acceptInvite', { inviteId }, 'inviteNotFound')
})

test('asking for a link again ends the former copied link, and the mailed link goes on working', async () => {
  const { world, link } = await anInvitedBob()
  const mailed = await world.mailedCode('bob@example.com')
  const [first, second] = [await link(), await link()]
  await world.cannot('checkInvite', { code: first }, 'inviteNotFound')
  await world.does('checkInvite', { code: second })
  expect(await world.does('checkInvite', { code: mailed })).toMatchObject({ isMailed: true })
})

test('a copied link lives as long as its invitation, and goes on working when the invitation is resent', async () => {
  const { world, owner, asOf, link } = await anInvitedBob()
  const code = await link()
  world.pass(limits.invites.live)
  await world.cannot('checkInvite', { code }, 'inviteExpired')
  const later = await world.signedIn(owner)
  await later.cannot('createInviteLink', asOf, 'inviteExpired')
  await later.does('resendInvite', asOf)
  await world.does('checkInvite', { code })
})

test('a copied link ends when the invitation is revoked, accepted or rejected, and nobody gets a new one', async () => {
  const { world, owner, subscriptionId } = await anInvitedBob()
  const people = await world.somePeople('one', 'two', 'three')
  const invited = people.map(async ({ email }) => owner.invites(subscriptionId, email))
  const [one, two, three] = await Promise.all(invited)
  const codeOf = async ({ inviteId }: { inviteId: string }) =>
    (await owner.does('createInviteLink', { subscriptionId, inviteId })).code
  const codes = [await codeOf(one!), await codeOf(two!), await codeOf(three!)]
  await owner.does('revokeInvite', { subscriptionId, ...one! })
  await people[1].does('acceptInvite', two!)
  await people[2].does('rejectInvite', three!)
  for (const code of codes) await world.cannot('checkInvite', { code }, 'inviteNotPending')
  for (const invite of [one!, two!, three!])
    await owner.cannot('createInviteLink', { subscriptionId, ...invite }, 'inviteNotPending')
})

test('only administrators of the active project with a verified address get a link', async () => {
  const { world, owner, admin, member, subscriptionId, asOf } = await anInvitedBob()
  await member.cannot('createInviteLink', asOf, 'adminOnly')
  const stranger = await world.aPerson('stranger')
  await stranger.cannot('createInviteLink', asOf, 'accessDenied')
  await world.cannot('createInviteLink', asOf, 'notSignedIn')
  const own = await stranger.starts()
  await stranger.cannot('createInviteLink', { ...asOf, ...own }, 'inviteNotFound')
  await admin.cannot('createInviteLink', { ...asOf, inviteId: 'none' }, 'inviteNotFound')
  const eve = await world.aPerson('eve', { verified: false })
  await world.addMember(subscriptionId, eve, ['admin'])
  await eve.cannot('createInviteLink', asOf, 'emailNotVerified')
  await owner.cancels(subscriptionId)
  await admin.cannot('createInviteLink', asOf, 'subscriptionCanceled')
})

test('the store keeps a copied link’s code as a hash only, and the activity says who copied it', async () => {
  const { world, admin, subscriptionId, link } = await anInvitedBob()
  const code = await link()
  const { rows } = await world.pool.query('select * from invites')
  expect(rows[0].link_hash).toBeTruthy()
  expect(JSON.stringify(rows)).not.toContain(code)
  const { activity } = await admin.does('listActivity', { subscriptionId })
  expect(activity[0]).toMatchObject({
    kind: 'inviteLinkCreated',
    actor: { name: 'admin' },
    subject: 'bob@example.com',
  })
})
