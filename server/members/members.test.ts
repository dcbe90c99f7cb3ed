// @module-tag slow
import { limits } from '#config/limits.ts'
import type { PermissionKey } from '#config/permissions.ts'
import { allPermissions } from '#contract/access.ts'
import type { CallInput } from '#contract/calls.ts'
import { expect, test } from 'vitest'
import { aProject, reasonOf } from '../../tests/world.ts'

async function aTeam() {
  const project = await aProject({ people: { admin: ['admin'], editor: ['editor'], member: [] } })
  const held = async (uid: string) => {
    const { permissions } = await project.owner.project(project.id)
    return allPermissions.filter((key) => permissions[key]?.includes(uid))
  }
  return { ...project, subscriptionId: project.id, held }
}

test('an administrator can change a member’s permissions, but never removes the default permission “access”', async () => {
  const { admin, member, subscriptionId, held } = await aTeam()
  const change = (permissions: PermissionKey[]) =>
    admin.call('updateUserPermissions', { subscriptionId, userId: member.uid, permissions })
  expect((await change(['admin', 'editor'])).result).toEqual({})
  expect(await held(member.uid)).toEqual(['access', 'editor', 'admin'])
  await member.does('getSubscriptionUsers', { subscriptionId })
  expect((await change([])).result).toEqual({})
  expect(await held(member.uid)).toEqual(['access'])
  await member.cannot('getSubscriptionUsers', { subscriptionId }, 'adminOnly')
  expect(reasonOf(await change(['root' as 'admin']))).toBe('unknownPermission')
})

test('when two administrators change the same member’s permissions at once, the second is refused and gets the permissions that the first has set', async () => {
  const { owner, admin, member, subscriptionId, held } = await aTeam()
  const change = { subscriptionId, userId: member.uid, was: ['access' as const] }
  const answers = await Promise.all([
    owner.call('updateUserPermissions', { ...change, permissions: ['editor'] }),
    admin.call('updateUserPermissions', { ...change, permissions: ['admin'] }),
  ])
  const refused = answers.filter(({ error }) => error)
  expect(refused.map(reasonOf)).toEqual(['permissionsChanged'])
  const now = await held(member.uid)
  expect(refused[0]!.error!.details!['permissions']).toEqual(now)
  const again = await admin.call('updateUserPermissions', {
    ...change,
    was: now,
    permissions: ['editor', 'admin'],
  })
  expect(again.result).toEqual({})
  expect(await held(member.uid)).toEqual(['access', 'editor', 'admin'])
})

test('a change of permissions may list the previous permissions in any order and without the default one', async () => {
  const { admin, editor, subscriptionId } = await aTeam()
  const change = (was: PermissionKey[], permissions: PermissionKey[]) =>
    admin.does('updateUserPermissions', { subscriptionId, userId: editor.uid, was, permissions })
  await change(['editor'], ['editor', 'admin'])
  await change(['admin', 'editor', 'access'], [])
})

test('nobody can change the owner’s permissions or remove the owner, and the owner cannot leave the project', async () => {
  const { owner, admin, subscriptionId, held } = await aTeam()
  for (const person of [owner, admin]) {
    const change = { subscriptionId, userId: owner.uid }
    await person.cannot('updateUserPermissions', { ...change, permissions: [] }, 'ownerUntouchable')
    await person.cannot('removeUser', change, 'ownerUntouchable')
  }
  await owner.cannot('leaveSubscription', { subscriptionId }, 'ownerCannotLeave')
  expect(await held(owner.uid)).toEqual(['access', 'admin'])
})

test('changing the permissions of a user who is not a member, or removing them, is refused and does not make them a member', async () => {
  const { world, admin, subscriptionId, held } = await aTeam()
  const stranger = await world.aPerson('stranger')
  for (const userId of [stranger.uid, 'nobody']) {
    await admin.cannot(
      'updateUserPermissions',
      { subscriptionId, userId, permissions: ['admin'] },
      'userNotFound',
    )
    await admin.cannot('removeUser', { subscriptionId, userId }, 'userNotFound')
  }
  expect(await held(stranger.uid)).toEqual([])
})

test('a removed member or administrator is refused at their next call about the project', async () => {
  const { admin, editor, member, owner, subscriptionId } = await aTeam()
  await member.cannot('removeUser', { subscriptionId, userId: editor.uid }, 'adminOnly')
  for (const person of [member, admin]) {
    await owner.does('removeUser', { subscriptionId, userId: person.uid })
    await person.cannot('getSubscription', { subscriptionId }, 'accessDenied')
    expect(await person.projects()).toEqual([])
  }
  await admin.cannot('removeUser', { subscriptionId, userId: editor.uid }, 'accessDenied')
  await owner.cannot('removeUser', { subscriptionId, userId: admin.uid }, 'userNotFound')
  await editor.does('getSubscription', { subscriptionId })
})

test('an administrator can remove themselves from a project', async () => {
  const { admin, subscriptionId } = await aTeam()
  await admin.does('removeUser', { subscriptionId, userId: admin.uid })
  await admin.cannot('getSubscription', { subscriptionId }, 'accessDenied')
})

test('a member who left can be invited again, and gets only the permissions of the new invitation', async () => {
  const { world, admin, owner, subscriptionId, held } = await aTeam()
  await admin.does('leaveSubscription', { subscriptionId })
  await admin.cannot('leaveSubscription', { subscriptionId }, 'accessDenied')
  const { inviteId } = await owner.invites(subscriptionId, admin.email, ['editor'])
  expect(await world.mailedCode(admin.email)).toBeTruthy()
  await admin.does('acceptInvite', { inviteId })
  expect(await held(admin.uid)).toEqual(['access', 'editor'])
})

test('members can leave a canceled project, and its owner can’t', async () => {
  const { world, owner, admin, member, subscriptionId } = await aTeam()
  await world.services.store.subscriptions.cancel(subscriptionId)
  await member.does('leaveSubscription', { subscriptionId })
  await owner.cannot('leaveSubscription', { subscriptionId }, 'ownerCannotLeave')
  expect((await admin.does('getSubscriptionUsers', { subscriptionId })).total).toBe(3)
})

test('the seat of a member who leaves is free at once', async () => {
  const { id: subscriptionId, owner, bob } = await aProject({ members: 8, people: { bob: [] } })
  const invite = () => owner.triesToInvite(subscriptionId, 'carl@example.com')
  expect(reasonOf(await invite())).toBe('seatsFull')
  await bob.call('leaveSubscription', { subscriptionId })
  expect((await invite()).status).toBe(200)
})

test('a search of a project’s users matches part of a name or email address, ignores case and does not change the seat count', async () => {
  const { admin, subscriptionId } = await aTeam()
  await admin.call('createInvite', {
    subscriptionId,
    email: 'zoe@elsewhere.test',
    permissions: ['editor'],
    name: 'Zoë 100%_Young',
  })
  const found = async (search: string) => {
    const { users, total, seats } = await admin.does('getSubscriptionUsers', {
      subscriptionId,
      search,
    })
    expect(seats).toEqual({ total: 10, members: 4, pending: 1 })
    expect(total).toBe(users.length)
    return users.map(({ display_name }) => display_name)
  }
  expect(await found('')).toEqual(['owner', 'admin', 'editor', 'member', 'Zoë 100%_Young'])
  expect(await found(' MEMB ')).toEqual(['member'])
  expect(await found('ELSEWHERE')).toEqual(['Zoë 100%_Young'])
  expect(await found('%')).toEqual(['Zoë 100%_Young'])
  expect(await found('example.com')).toHaveLength(4)
  expect(await found('nobody here')).toEqual([])
})

test('the results of a search of a project’s users come in pages, and a page after the last one still gives the total', async () => {
  const { id: subscriptionId, owner } = await aProject({ plan: 'enterprise', members: 25 })
  const page = async (page: number) =>
    await owner.does('getSubscriptionUsers', {
      subscriptionId,
      search: 'member',
      page,
      pageSize: 10,
    })
  expect(await page(3)).toMatchObject({ total: 25, seats: { total: 50, members: 26, pending: 0 } })
  expect((await page(3)).users).toHaveLength(5)
  expect(await page(4)).toMatchObject({ total: 25, users: [] })
})

/** Two administrators, an editor, a member and two invitations, created in another order. */
async function aMixedProject() {
  const { world, id: subscriptionId, owner } = await aProject()
  const names = ['bea', 'adam', 'cleo'] as const
  const people = await world.somePeople(...names)
  for (const [index, permissions] of [['admin'], ['editor'], []].entries()) {
    world.pass(1000)
    await world.addMember(subscriptionId, people[index]!, permissions as PermissionKey[])
  }
  for (const [email, name] of [['zed@example.com', 'Abel'], ['dora@example.com']] as const) {
    world.pass(1000)
    await owner.does('createInvite', {
      subscriptionId,
      email,
      permissions: ['admin'],
      ...(name && { name }),
    })
  }
  type Input = Omit<CallInput<'getSubscriptionUsers'>, 'subscriptionId'>
  const list = async (input: Input) => {
    const { users, total } = await owner.does('getSubscriptionUsers', { subscriptionId, ...input })
    return [
      users.map(({ display_name, email }) => display_name || email.split('@')[0]!),
      total,
    ] as const
  }
  return { world, owner, subscriptionId, list }
}

test('the users of a project are sorted by name or by creation in both directions, and by address where there is no name', async () => {
  const { list } = await aMixedProject()
  const byAge = ['owner', 'bea', 'adam', 'cleo', 'Abel', 'dora']
  const byName = ['Abel', 'adam', 'bea', 'cleo', 'dora', 'owner']
  expect(await list({})).toEqual([byAge, 6])
  expect(await list({ sort: 'created' })).toEqual([byAge, 6])
  expect(await list({ sort: 'created', direction: 'descending' })).toEqual([byAge.toReversed(), 6])
  expect(await list({ sort: 'name' })).toEqual([byName, 6])
  expect(await list({ sort: 'name', direction: 'descending' })).toEqual([byName.toReversed(), 6])
  expect(await list({ direction: 'descending' })).toEqual([byAge, 6])
})

test('the users of a project are filtered by status and permission, together with any search and order, and the seats stay those of all', async () => {
  const { owner, subscriptionId, list } = await aMixedProject()
  expect(await list({ status: 'active' })).toEqual([['owner', 'bea', 'adam', 'cleo'], 4])
  expect(await list({ status: 'pending' })).toEqual([['Abel', 'dora'], 2])
  expect(await list({ permission: 'admin' })).toEqual([['owner', 'bea'], 2])
  expect(await list({ status: 'pending', permission: 'admin' })).toEqual([[], 0])
  const everyStatus = [undefined, 'active', 'pending'] as const
  const everyPermission = [undefined, ...allPermissions] as const
  for (const status of everyStatus)
    for (const permission of everyPermission)
      for (const search of [undefined, 'a', 'nobody'])
        for (const sort of [undefined, 'name', 'created'] as const)
          for (const direction of ['ascending', 'descending'] as const) {
            const filter = { ...(status && { status }), ...(permission && { permission }) }
            const wanted = { ...filter, ...(search && { search }) }
            const order = sort ? { sort, direction } : {}
            const [unsorted, total] = await list(wanted)
            const [sorted, sortedTotal] = await list({ ...wanted, ...order })
            expect(sorted.toSorted()).toEqual(unsorted.toSorted())
            expect([sortedTotal, sorted.length]).toEqual([total, total])
          }
  const { seats } = await owner.does('getSubscriptionUsers', { subscriptionId, status: 'pending' })
  expect(seats).toEqual({ total: 10, members: 4, pending: 2 })
})

test('people with the same name and the same time of creation keep one order over all pages', async () => {
  const { world, id: subscriptionId, owner } = await aProject({ plan: 'enterprise', members: 24 })
  await world.pool.query(`update members set created_at = now() where subscription_id = $1`, [
    subscriptionId,
  ])
  await world.pool.query(`update users set display_name = 'Same'`)
  for (const sort of ['name', 'created'] as const)
    for (const direction of ['ascending', 'descending'] as const) {
      const ids: string[] = []
      for (const page of [1, 2, 3]) {
        const input = { subscriptionId, sort, direction, page, pageSize: 10 } as const
        const { users, total } = await owner.does('getSubscriptionUsers', input)
        expect(total).toBe(25)
        ids.push(...users.map(({ id }) => id))
      }
      const ordered = ids.toSorted()
      expect(ids).toEqual(direction === 'ascending' ? ordered : ordered.toReversed())
    }
  const beyond = { subscriptionId, status: 'active', sort: 'name', page: 4 } as const
  expect(await owner.does('getSubscriptionUsers', beyond)).toMatchObject({ total: 25, users: [] })
})

test('an unknown status, order or direction of the users is refused', async () => {
  const { id: subscriptionId, owner } = await aProject()
  const bad = [
    { status: 'expired' },
    { status: '' },
    { sort: 'email' },
    { sort: 1 },
    { direction: 'up' },
  ]
  for (const input of bad)
    await owner.cannot(
      'getSubscriptionUsers',
      { subscriptionId, ...input } as never,
      'invalidInput',
    )
})

test('a pending invitation in the list of users says who sent it and until when it is valid', async () => {
  const { owner, subscriptionId } = await aMixedProject()
  const { users } = await owner.does('getSubscriptionUsers', { subscriptionId })
  const [first, last] = [users[0]!, users.at(-1)!]
  expect([first.host_name, first.expires]).toEqual([null, null])
  expect(last.host_name).toBe('owner')
  expect(last.expires! - last.created).toBe(limits.invites.live / 1000)
})

test('an expired invitation stays in the list of users, takes no seat and can be resent', async () => {
  const { world, id: subscriptionId, owner } = await aProject()
  const { inviteId } = await owner.invites(subscriptionId, 'guest@example.com')
  const listedBy = async (person: typeof owner) => {
    const { users, seats } = await person.does('getSubscriptionUsers', { subscriptionId })
    return [users[1]!.status, users[1]!.is_expired, seats.pending]
  }
  expect(await listedBy(owner)).toEqual(['pending', false, 1])
  world.pass(limits.invites.live)
  const later = await world.signedIn(owner)
  expect(await listedBy(later)).toEqual(['pending', true, 0])
  await later.call('resendInvite', { subscriptionId, inviteId })
  expect(await listedBy(later)).toEqual(['pending', false, 1])
})
