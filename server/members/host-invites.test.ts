// @module-tag slow
import { expect, test } from 'vitest'
import { aProject, countOutcomes, type Person } from '../../tests/world.ts'

/** A project whose administrator has invited a second address of their own as administrator. */
async function aDoor() {
  const project = await aProject({ people: { admin: ['admin'], other: ['admin'] } })
  const { id: subscriptionId, world, admin, owner } = project
  const second = await world.aPerson('second')
  const { inviteId } = await admin.invites(subscriptionId, second.email, ['admin'])
  await owner.invites(subscriptionId, 'zoe@example.com')
  const pending = async () => {
    const { users } = await owner.does('getSubscriptionUsers', {
      subscriptionId,
      status: 'pending',
    })
    return users.map(({ email, host_name }) => [email, host_name])
  }
  const logged = async () => {
    const { activity } = await owner.does('listActivity', { subscriptionId, area: 'people' })
    return activity.map(({ kind, actor, subject }) => [kind, actor?.name, subject])
  }
  return { ...project, subscriptionId, second, inviteId, pending, logged }
}

const zoes = ['zoe@example.com', 'owner']
type Door = Awaited<ReturnType<typeof aDoor>>

test.each<[string, string, (door: Door) => Promise<unknown>]>([
  [
    'is removed',
    'owner',
    ({ owner, subscriptionId, admin }) =>
      owner.does('removeUser', { subscriptionId, userId: admin.uid }),
  ],
  [
    'is demoted',
    'owner',
    ({ owner, subscriptionId, admin }) => owner.permits(subscriptionId, admin, ['editor']),
  ],
  [
    'leaves',
    'admin',
    ({ admin, subscriptionId }) => admin.does('leaveSubscription', { subscriptionId }),
  ],
  [
    'demotes themselves',
    'admin',
    ({ admin, subscriptionId }) =>
      admin.does('updateUserPermissions', {
        subscriptionId,
        userId: admin.uid,
        permissions: [],
        keepInvites: true,
      }),
  ],
  [
    'removes themselves',
    'admin',
    ({ admin, subscriptionId }) =>
      admin.does('removeUser', { subscriptionId, userId: admin.uid, keepInvites: true }),
  ],
  [
    'deletes the account',
    '',
    ({ admin }) => admin.does('deleteAccount', { confirmationId: admin.uid }),
  ],
])('the invitations of an administrator who %s are revoked', async (_, by, act) => {
  const door = await aDoor()
  const { owner, second, subscriptionId, inviteId } = door
  const before = await owner.seats(subscriptionId)
  await act(door)
  await second.cannot('acceptInvite', { inviteId }, 'inviteNotPending')
  expect((await second.does('listInvites', {})).invites).toEqual([])
  expect(await door.pending()).toEqual([zoes])
  expect((await owner.seats(subscriptionId)).pending).toBe(before.pending - 1)
  expect(await door.logged()).toContainEqual(['inviteRevoked', by, second.email])
})

test('an administrator who removes or demotes another one can keep their invitations as own ones', async () => {
  const door = await aDoor()
  const { owner, admin, other, second, subscriptionId, inviteId } = door
  const yan = await door.world.aPerson('yan')
  const yans = await other.invites(subscriptionId, yan.email)
  await owner.does('removeUser', { subscriptionId, userId: admin.uid, keepInvites: true })
  const demotion = {
    subscriptionId,
    userId: other.uid,
    permissions: [],
    keepInvites: true as const,
  }
  await owner.does('updateUserPermissions', demotion)
  const kept = [second.email, yan.email].map((email) => [email, 'owner'])
  expect(await door.pending()).toEqual([kept[0], zoes, kept[1]])
  const logged = await door.logged()
  for (const [email] of kept) expect(logged).toContainEqual(['inviteKept', 'owner', email])
  await second.does('acceptInvite', { inviteId })
  await yan.does('acceptInvite', yans)
})

test('a change of permissions that leaves somebody an administrator ends no invitation', async () => {
  const door = await aDoor()
  await door.owner.permits(door.subscriptionId, door.admin, ['admin', 'editor'])
  await door.second.does('acceptInvite', { inviteId: door.inviteId })
})

test('invitations that have expired end too, so that nobody sends them again by mistake', async () => {
  const door = await aDoor()
  const { world, subscriptionId, admin, second, inviteId } = door
  await world.services.store.invites.expire(second.email, new Date())
  await door.owner.does('removeUser', { subscriptionId, userId: admin.uid })
  await door.owner.cannot('resendInvite', { subscriptionId, inviteId }, 'inviteNotPending')
})

test('a change that is refused ends no invitation', async () => {
  const { owner, other, admin, second, subscriptionId, inviteId } = await aDoor()
  await admin.cannot('removeUser', { subscriptionId, userId: owner.uid }, 'ownerUntouchable')
  const outdated = { subscriptionId, userId: admin.uid, permissions: [], was: [] }
  await other.cannot('updateUserPermissions', outdated, 'permissionsChanged')
  await owner.does('removeUser', { subscriptionId, userId: other.uid })
  await other.cannot('removeUser', { subscriptionId, userId: admin.uid }, 'accessDenied')
  await second.does('acceptInvite', { inviteId })
})

test('people see how many invitations end with them: administrators of each, all of their own', async () => {
  const { owner, admin, subscriptionId, second } = await aDoor()
  const { users } = await owner.does('getSubscriptionUsers', { subscriptionId })
  const sent = users.map(({ email, invites_sent }) => [email, invites_sent])
  expect(sent).toEqual([
    [owner.email, 1],
    [admin.email, 1],
    ['other@example.com', 0],
    [second.email, 0],
    ['zoe@example.com', 0],
  ])
  const own = async (person: Person) =>
    (await person.does('listSentInvites', {})).invites.map(({ email }) => email)
  expect([await own(admin), await own(second)]).toEqual([[second.email], []])
})

test('of an acceptance and the removal of the host, one wins', async () => {
  const { owner, admin, second, subscriptionId, inviteId } = await aDoor()
  const [accepted, removed] = await Promise.all([
    second.call('acceptInvite', { inviteId }),
    owner.call('removeUser', { subscriptionId, userId: admin.uid }),
  ])
  expect(countOutcomes([removed])).toEqual({ done: 1 })
  const isMember = (await owner.seats(subscriptionId)).members === 3
  expect(countOutcomes([accepted])).toEqual(isMember ? { done: 1 } : { inviteNotPending: 1 })
})
