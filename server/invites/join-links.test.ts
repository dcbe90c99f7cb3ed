// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import { permissions } from '#config/permissions.ts'
import { allPermissions, holds } from '#contract/access.ts'
import { expect, onTestFinished, test } from 'vitest'
import { adminOf } from '../../tests/an-operator.ts'
import { aBackup, readText, restoreInto } from '../../tests/a-backup.ts'
import { aDatabase } from '../../tests/database.ts'
import { aProject, openWorld, reasonOf, secretKey, type Person } from '../../tests/world.ts'
import { newKey } from '../platform/secrets.ts'

type Wish = { permissions?: 'editor'[]; uses?: number; expires?: number }

/** A project with a join link, an administrator who made it, and somebody who may join. */
async function aLinkedProject({ members = 0, ...wish }: Wish & { members?: number } = {}) {
  const project = await aProject({ members, people: { admin: ['admin'], member: [] } })
  const { world, id: subscriptionId, admin } = project
  const guest = await world.aPerson('guest')
  const makes = (by: Person, more: Wish = {}) =>
    by.does('createJoinLink', { subscriptionId, permissions: [], ...wish, ...more })
  const { code } = await makes(admin)
  const held = async (person: Person) => {
    const project = await person.project(subscriptionId)
    return allPermissions.filter((key) => holds(project, person.uid, key))
  }
  return { ...project, subscriptionId, guest, code, makes, held }
}

const taken = (members: number, pending: number) => expect.objectContaining({ members, pending })

test('whoever has the link joins as it says, once, and the activity and a mail tell its maker', async () => {
  const { world, subscriptionId, owner, admin, guest, makes, held } = await aLinkedProject()
  await owner.renames(subscriptionId, 'Engine')
  const { code } = await makes(admin, { permissions: ['editor'], uses: 1 })
  expect(code).toHaveLength(22)
  expect(await world.does('checkJoinLink', { code })).toEqual({
    subscription_name: 'Engine',
    host_name: 'admin',
    permissions: ['editor'],
  })
  expect(await guest.does('joinByLink', { code })).toEqual({ subscriptionId })
  expect(await held(guest)).toEqual(['access', 'editor'])

  // An answer that got lost is asked for again, though nobody else can join now.
  expect(await guest.does('joinByLink', { code })).toEqual({ subscriptionId })
  expect(await owner.seats(subscriptionId)).toEqual(taken(4, 0))
  const { activity } = await admin.does('listActivity', { subscriptionId })
  expect(activity.slice(0, 2)).toMatchObject([
    {
      kind: 'memberJoined',
      actor: { name: 'guest' },
      details: { permissions: ['access', 'editor'], by: 'link' },
    },
    { kind: 'joinLinkCreated', actor: { name: 'admin' }, details: { permissions: ['editor'] } },
  ])
  await world.untilWorkedOff()
  const subjects = async ({ email }: Person) =>
    (await world.mails(email)).filter(({ subject }) => subject === 'guest joined Engine').length
  expect([await subjects(admin), await subjects(owner)]).toEqual([1, 0])
})

test('a member who joins again keeps what they hold, and uses nothing up', async () => {
  const { owner, member, subscriptionId, makes, held } = await aLinkedProject()
  const { code } = await makes(owner, { permissions: ['editor'], uses: 1 })
  expect(await member.does('joinByLink', { code })).toEqual({ subscriptionId })
  expect(await held(member)).toEqual(['access'])
  const { link } = await owner.does('getJoinLink', { subscriptionId })
  expect(link).toMatchObject({ uses_left: 1 })
})

test('administrators see the link again, and the database has no code that opens anything', async () => {
  const { world, subscriptionId, owner, code, makes } = await aLinkedProject({ uses: 3 })
  const { link } = await owner.does('getJoinLink', { subscriptionId })
  const made = Math.floor(world.services.now().getTime() / 1000)
  expect(link).toEqual({
    code,
    permissions: [],
    uses_left: 3,
    host_name: 'admin',
    expires: expect.closeTo(made + limits.joining.life / 1000, -2),
  })
  const { rows } = await world.pool.query('select * from join_links')
  expect(JSON.stringify(rows)).not.toContain(code)
  const expires = made + 3600
  await makes(owner, { expires })
  expect((await owner.does('getJoinLink', { subscriptionId })).link).toMatchObject({
    host_name: 'owner',
    expires,
  })
})

test('a new link replaces the former one, and revoking ends it, even twice', async () => {
  const { world, subscriptionId, owner, guest, code, makes } = await aLinkedProject()
  const second = await makes(owner)
  await guest.cannot('joinByLink', { code }, 'inviteNotFound')
  await world.cannot('checkJoinLink', { code }, 'inviteNotFound')
  await world.does('checkJoinLink', second)
  for (let times = 0; times < 2; times++) await owner.does('revokeJoinLink', { subscriptionId })
  await guest.cannot('joinByLink', second, 'inviteNotFound')
  expect(await owner.does('getJoinLink', { subscriptionId })).toEqual({ link: null })
  const { activity } = await owner.does('listActivity', { subscriptionId })
  expect(activity.map(({ kind }) => kind).slice(0, 2)).toEqual([
    'joinLinkRevoked',
    'joinLinkCreated',
  ])
})

test('a link that has ended or is used up lets nobody else in', async () => {
  const { world, owner, guest, makes } = await aLinkedProject()
  const [other] = await world.somePeople('other')
  const once = await makes(owner, { uses: 1 })
  await other.does('joinByLink', once)
  await guest.cannot('joinByLink', once, 'inviteNotFound')
  await world.cannot('checkJoinLink', once, 'inviteNotFound')
  const { code } = await makes(owner)
  world.pass(limits.joining.life)
  const late = await world.signedIn(guest)
  await late.cannot('joinByLink', { code }, 'inviteExpired')
  await world.cannot('checkJoinLink', { code }, 'inviteExpired')
})

test.each([
  ['an administrator’s permission', { permissions: ['admin'] }, 'invalidInput'],
  ['an unknown permission', { permissions: ['captain'] }, 'invalidInput'],
  ['no use', { uses: 0 }, 'invalidInput'],
  ['too many uses', { uses: limits.joining.uses + 1 }, 'invalidInput'],
  ['half a use', { uses: 1.5 }, 'invalidInput'],
  ['an end that is over', { expires: 1 }, 'invalidInput'],
  ['an end too far', { expires: 4_000_000_000 }, 'invalidInput'],
  ['a further field', { code: 'mine' }, 'invalidInput'],
] as const)('a link with %s is refused', async (_, wish, reason) => {
  const { owner, id: subscriptionId } = await aProject()
  const input = { subscriptionId, permissions: [], ...wish } as never
  await owner.cannot('createJoinLink', input, reason)
  expect(await owner.does('getJoinLink', { subscriptionId })).toEqual({ link: null })
})

test('a link gives nothing that has come to make administrators since', async () => {
  const { guest, code, held } = await aLinkedProject({ permissions: ['editor'] })
  const editor = permissions.editor as { admin: boolean }
  editor.admin = true
  onTestFinished(() => void (editor.admin = false))
  await guest.does('joinByLink', { code })
  expect(await held(guest)).toEqual(['access'])
})

test('only an administrator who has claimed their account makes, sees and revokes a link', async () => {
  const { world, subscriptionId, owner, member } = await aLinkedProject()
  const eve = await world.aPerson('eve', { verified: false })
  await world.addMember(subscriptionId, eve, ['admin'])
  const wish = { subscriptionId, permissions: [] }
  await eve.cannot('createJoinLink', wish, 'emailNotVerified')
  // Anybody may have opened the link that was mailed.
  await world.openMail(eve.email)
  await eve.cannot('createJoinLink', wish, 'claimRequired')
  const stranger = await world.aPerson('stranger')
  for (const [person, reason] of [
    [member, 'adminOnly'],
    [stranger, 'accessDenied'],
  ] as const) {
    await person.cannot('createJoinLink', wish, reason)
    await person.cannot('getJoinLink', { subscriptionId }, reason)
    await person.cannot('revokeJoinLink', { subscriptionId }, reason)
  }
  await owner.cancels(subscriptionId)
  await owner.cannot('createJoinLink', wish, 'subscriptionCanceled')
})

test('nobody joins from an account that they have not claimed', async () => {
  const { world, subscriptionId, owner, code } = await aLinkedProject()
  const eve = await world.aPerson('eve', { verified: false })
  await world.cannot('joinByLink', { code }, 'notSignedIn')
  await eve.cannot('joinByLink', { code }, 'emailNotVerified')
  await world.openMail(eve.email)
  await eve.cannot('joinByLink', { code }, 'claimRequired')
  expect(await owner.seats(subscriptionId)).toEqual(taken(3, 0))
})

test('whoever was removed needs an invitation, until they have accepted one', async () => {
  const { subscriptionId, owner, guest, member, code, held } = await aLinkedProject()
  await guest.does('joinByLink', { code })
  for (const { uid: userId } of [guest, member])
    await owner.does('removeUser', { subscriptionId, userId })
  await guest.cannot('joinByLink', { code }, 'joinRefused')
  await guest.does('acceptInvite', await owner.invites(subscriptionId, guest.email))
  await guest.does('leaveSubscription', { subscriptionId })
  await guest.does('joinByLink', { code })

  // The link is as good as accepting while the invitation is open.
  await owner.invites(subscriptionId, member.email, ['editor'])
  await member.does('joinByLink', { code })
  expect(await held(member)).toEqual(['access', 'editor'])
})

test('an open invitation is accepted with the link: its seat is used and both promises hold', async () => {
  const { world, subscriptionId, owner, guest, code, held } = await aLinkedProject({
    members: 6,
    permissions: ['editor'],
  })
  const { inviteId } = await owner.invites(subscriptionId, guest.email, ['admin'])
  const other = await world.aPerson('other')
  expect(await owner.seats(subscriptionId)).toEqual(taken(9, 1))
  const { error } = await other.call('joinByLink', { code })
  expect(error!.details).toEqual({ reason: 'seatsFull', seats: 10 })
  await guest.does('joinByLink', { code })
  expect(await held(guest)).toEqual(['access', 'editor', 'admin'])
  expect(await owner.seats(subscriptionId)).toEqual(taken(10, 0))
  await guest.cannot('acceptInvite', { inviteId }, 'inviteNotPending')
  await world.untilWorkedOff()
  expect((await world.mails(owner.email))[0]!.subject).toBe('guest joined Untitled Project')
})

test.each<[string, (given: Awaited<ReturnType<typeof aLinkedProject>>) => Promise<unknown>]>([
  [
    'is removed',
    ({ owner, admin, subscriptionId }) =>
      owner.does('removeUser', { subscriptionId, userId: admin.uid }),
  ],
  ['leaves', ({ admin, subscriptionId }) => admin.does('leaveSubscription', { subscriptionId })],
  [
    'is no administrator any more',
    async ({ owner, admin, subscriptionId }) => {
      await owner.permits(subscriptionId, admin, [])
      await owner.permits(subscriptionId, admin, ['admin'])
    },
  ],
  [
    'deletes the account',
    ({ admin }) => admin.does('deleteAccount', { confirmationId: admin.uid }),
  ],
  ['is disabled', ({ world, admin }) => adminOf(world).run('disable', admin.email)],
  [
    'chooses another password by mail',
    async ({ world, admin }) =>
      world.does('confirmPasswordReset', {
        oobCode: await world.resetCode(admin.email),
        newPassword: 'battery staple',
      }),
  ],
])('a link ends when its maker %s', async (_, end) => {
  const given = await aLinkedProject()
  const { world, owner, guest, code, subscriptionId } = given
  await end(given)
  await world.cannot('checkJoinLink', { code }, 'inviteNotFound')
  await guest.cannot('joinByLink', { code }, 'inviteNotFound')
  const { activity } = await owner.does('listActivity', { subscriptionId })
  expect(activity.map(({ kind }) => kind)).toContain('joinLinkEnded')
})

test('a link ends with its project, and lets nobody in while members may only look', async () => {
  const { world, id, owner, guest, code } = await aLinkedProject()
  const lookOnly = { because: 'overdue', until: null } as const
  await world.services.store.billing.update(id as never, { lookOnly })
  await guest.cannot('joinByLink', { code }, 'lookOnly')
  await world.services.store.billing.update(id as never, { lookOnly: null })
  await owner.cancels(id)
  await guest.cannot('joinByLink', { code }, 'inviteNotFound')
  expect(await owner.does('getJoinLink', { subscriptionId: id })).toEqual({ link: null })
})

test('guesses at codes are limited, and a right one of a neighbour still works', async () => {
  const { world, guest, code } = await aLinkedProject()
  await guest.cannot('joinByLink', { code: 'a guess' }, 'inviteNotFound')
  await world.useUp('codesByNetwork', 'unknown', rateLimits.codesByNetwork.tries - 1)
  expect(reasonOf(await world.call('checkJoinLink', { code: 'another' }))).toBe(
    'auth/too-many-requests',
  )
  await guest.does('joinByLink', { code })
})

test('a backup has no code of a link, and only a server with its key shows the link again', async () => {
  const { world, subscriptionId, admin, code } = await aLinkedProject()
  await world.stop()
  const { file } = await aBackup(world.connection)
  const text = await readText(file)
  expect(text).toContain('"join_links"')
  expect(text).not.toContain(code)

  const { connection } = await aDatabase({ isEmpty: true })
  const key = { SECRET_KEY: newKey() }
  await restoreInto(connection, file, key)
  const elsewhere = await openWorld(connection, key)
  const { does } = await elsewhere.signedIn(admin)
  expect((await does('getJoinLink', { subscriptionId })).link).toMatchObject({ code: null })
  await does('createJoinLink', { subscriptionId, permissions: [] })
  await elsewhere.cannot('checkJoinLink', { code }, 'inviteNotFound')
})

test('a link goes on working when the key changes, and is sealed anew by it', async () => {
  const { world, subscriptionId, admin, guest, code } = await aLinkedProject()
  await world.stop()
  const key = newKey()
  const both = await openWorld(world.connection, { SECRET_KEY: `${key},${secretKey}` })
  await both.services.jobs.add('removeExpired', {})
  await both.untilWorkedOff()
  await both.stop()
  const later = await openWorld(world.connection, { SECRET_KEY: key })
  const { does } = await later.signedIn(admin)
  expect((await does('getJoinLink', { subscriptionId })).link).toMatchObject({ code })
  await (await later.signedIn(guest)).does('joinByLink', { code })
})

test('the export of an account has the links that it made', async () => {
  const { admin, subscriptionId, code } = await aLinkedProject()
  const exported = await admin.does('exportUser', {})
  expect(exported.data).toMatchObject({
    join_links: [{ subscription_id: subscriptionId, permissions: [] }],
  })
  expect(JSON.stringify(exported)).not.toContain(code)
})
