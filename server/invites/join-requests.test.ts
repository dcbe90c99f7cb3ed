// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import type { PermissionKey } from '#config/permissions.ts'
import { expect, test } from 'vitest'
import { holdMails } from '../../tests/jobs.ts'
import { aProject, countOutcomes, inParallel, type Person } from '../../tests/world.ts'

/** A project that a guest asks to join. */
async function anAskedProject({ members = 0 } = {}) {
  const project = await aProject({ members, people: { admin: ['admin'], member: [] } })
  const { world, id: subscriptionId, owner, admin } = project
  await owner.renames(subscriptionId, 'Engine')
  const guest = await world.aPerson('guest')
  const asks = (by: Person) => by.does('requestToJoin', { subscriptionId })
  const requests = async () => (await admin.does('listJoinRequests', { subscriptionId })).requests
  const request = async () => (await requests())[0]!
  const decides = async (by: Person, permissions: PermissionKey[] | null) =>
    by.does('decideJoinRequest', { requestId: (await request()).id, permissions })
  const subjects = async ({ email }: Person) => {
    await world.untilWorkedOff()
    return (await world.mails(email)).map(({ subject }) => subject)
  }
  await asks(guest)
  return { ...project, subscriptionId, guest, asks, requests, request, decides, subjects }
}

const joining = 'guest asks to join Engine'
const taken = (members: number, pending: number) => expect.objectContaining({ members, pending })

test('administrators hear once that somebody asks to join, and let them in as they choose', async () => {
  const { owner, admin, member, guest, subscriptionId, ...asked } = await anAskedProject()
  await asked.asks(guest)
  const created = expect.any(Number)
  expect(await asked.requests()).toEqual([
    { id: expect.any(String), name: 'guest', email: guest.email, created },
  ])
  for (const person of [owner, admin])
    expect((await asked.subjects(person)).filter((subject) => subject === joining)).toHaveLength(1)
  expect(await asked.subjects(member)).not.toContain(joining)
  expect(await owner.seats(subscriptionId)).toEqual(taken(3, 0))

  await asked.decides(admin, ['editor', 'admin'])
  expect(await asked.requests()).toEqual([])
  const { permissions } = await guest.project(subscriptionId)
  expect(permissions).toMatchObject({
    editor: [guest.uid],
    admin: expect.arrayContaining([guest.uid]),
  })
  expect(await asked.subjects(guest)).toContain("You're now in Engine")
  const { activity } = await owner.does('listActivity', { subscriptionId })
  expect(activity.slice(0, 2)).toMatchObject([
    { kind: 'joinRequestAccepted', actor: { name: 'admin' }, subject: 'guest' },
    {
      kind: 'memberJoined',
      actor: { name: 'guest' },
      details: { permissions: ['access', 'editor', 'admin'], by: 'request' },
    },
  ])
})

test('who is declined hears and sees nothing of it, and may ask again after thirty days', async () => {
  const { world, owner, admin, guest, subscriptionId, ...asked } = await anAskedProject()
  const { id: requestId } = await asked.request()
  await asked.decides(admin, null)
  expect(await asked.asks(guest)).toEqual({})
  expect(await asked.requests()).toEqual([])
  await owner.cannot('decideJoinRequest', { requestId, permissions: [] }, 'joinRequestNotFound')
  const own = (await guest.does('listOwnActivity', {})).activity.map(({ kind }) => kind)
  expect(own).not.toContain('joinRequestDeclined')
  const { data } = await guest.does('exportUser', {})
  expect(data).toMatchObject({ join_requests: [{ subscription_id: subscriptionId }] })
  expect(JSON.stringify(data)).not.toContain('eclined')
  const { activity } = await owner.does('listActivity', { subscriptionId })
  expect(activity[0]).toMatchObject({ kind: 'joinRequestDeclined', subject: null })

  world.pass(limits.joining.declined)
  await asked.asks(await world.signedIn(guest))
  const later = await world.signedIn(owner)
  const { requests } = await later.does('listJoinRequests', { subscriptionId })
  expect(requests.map(({ id }) => id)).toEqual([expect.not.stringMatching(requestId)])
})

test('nothing tells who asks whether there is such a project', async () => {
  const { world, owner, guest, member, subscriptionId, ...asked } = await anAskedProject()
  const canceled = (await owner.starts()).subscriptionId
  await owner.cancels(canceled)
  const stranger = await world.aPerson('stranger')
  const answers = []
  for (const id of [subscriptionId, 'none', canceled]) {
    const headers = { 'idempotency-key': id }
    const {
      headers: told,
      status,
      result,
    } = await stranger.call('requestToJoin', { subscriptionId: id }, headers)
    answers.push({ status, result, told: [...told.keys()] })
  }
  expect(answers.slice(1)).toEqual([answers[0], answers[0]])
  await asked.asks(member)
  const { rows } = await world.pool.query('select user_id from join_requests')
  expect(rows).toEqual([{ user_id: guest.uid }, { user_id: stranger.uid }])
  const { tries } = rateLimits.joinRequestsByAccount
  for (let times = 1; times < tries; times++) await asked.asks(guest)
  for (const id of [subscriptionId, 'none'])
    await guest.cannot('requestToJoin', { subscriptionId: id }, 'auth/too-many-requests')
})

test('nobody asks from an account that they have not claimed', async () => {
  const { world, subscriptionId, ...asked } = await anAskedProject()
  const eve = await world.aPerson('eve', { verified: false })
  await world.cannot('requestToJoin', { subscriptionId }, 'notSignedIn')
  await eve.cannot('requestToJoin', { subscriptionId }, 'emailNotVerified')
  await world.openMail(eve.email)
  await eve.cannot('requestToJoin', { subscriptionId }, 'claimRequired')
  expect(await asked.requests()).toHaveLength(1)
})

test('only administrators see and decide requests, and others learn of none', async () => {
  const { world, owner, admin, member, guest, subscriptionId, ...asked } = await anAskedProject()
  const { id: requestId } = await asked.request()
  await member.cannot('listJoinRequests', { subscriptionId }, 'adminOnly')
  await guest.cannot('listJoinRequests', { subscriptionId }, 'accessDenied')
  const stranger = await world.aPerson('stranger')
  await stranger.starts()
  for (const permissions of [[], null]) {
    const decision = { requestId, permissions }
    for (const person of [member, guest, stranger])
      await person.cannot('decideJoinRequest', decision, 'joinRequestNotFound')
    await world.cannot('decideJoinRequest', decision, 'notSignedIn')
  }
  await owner.permits(subscriptionId, admin, [])
  await admin.cannot('decideJoinRequest', { requestId, permissions: [] }, 'joinRequestNotFound')
  const wrong = { requestId, permissions: ['captain' as 'admin'] }
  await owner.cannot('decideJoinRequest', wrong, 'unknownPermission')
})

test('a full project lets nobody in, and one that may only be looked at only declines', async () => {
  const { world, owner, guest, subscriptionId, ...asked } = await anAskedProject({ members: 7 })
  const { id: requestId } = await asked.request()
  const yes = { requestId, permissions: [] }
  const { error } = await owner.call('decideJoinRequest', yes)
  expect(error!.details).toEqual({ reason: 'seatsFull', seats: 10 })
  const lookOnly = { because: 'overdue', until: null } as const
  await world.services.store.billing.update(subscriptionId as never, { lookOnly })
  await owner.cannot('decideJoinRequest', yes, 'lookOnly')
  await asked.decides(owner, null)
  await asked.asks(guest)
  expect(await owner.seats(subscriptionId)).toEqual(taken(10, 0))
})

test.each<[string, (given: Awaited<ReturnType<typeof anAskedProject>>) => Promise<unknown>]>([
  ['is invited', ({ owner, guest, subscriptionId }) => owner.invites(subscriptionId, guest.email)],
  [
    'joins by a link',
    async ({ owner, guest, subscriptionId }) =>
      guest.does(
        'joinByLink',
        await owner.does('createJoinLink', { subscriptionId, permissions: [] }),
      ),
  ],
  [
    'deletes the account',
    ({ guest }) => guest.does('deleteAccount', { confirmationId: guest.uid }),
  ],
  ['sees the project canceled', ({ owner, subscriptionId }) => owner.cancels(subscriptionId)],
])('a request ends when who asks %s', async (_, end) => {
  const given = await anAskedProject()
  const { world, owner, request } = given
  const { id: requestId } = await request()
  await end(given)
  await owner.cannot('decideJoinRequest', { requestId, permissions: [] }, 'joinRequestNotFound')
  expect((await world.pool.query('select from join_requests')).rowCount).toBe(0)
})

test('a mail that waited until the request was answered is not sent', async () => {
  const { world, owner, admin, ...asked } = await anAskedProject()
  await asked.decides(owner, null)
  const other = await world.aPerson('other')
  await world.untilWorkedOff()
  const comeBack = await holdMails(world)
  await asked.asks(other)
  await asked.decides(owner, null)
  await world.untilWorkedOff()
  await comeBack()
  expect(await asked.subjects(admin)).not.toContain('other asks to join Engine')
})

test('whoever is invited already, or has switched the mails off, is spared them', async () => {
  const { world, owner, admin, subscriptionId, ...asked } = await anAskedProject()
  const invited = await world.aPerson('invited')
  await owner.invites(subscriptionId, invited.email)
  await asked.asks(invited)
  expect((await asked.requests()).map(({ name }) => name)).toEqual(['guest'])
  await admin.does('saveUser', { notices: { joinRequested: false } })
  await asked.asks(await world.aPerson('other'))
  expect(await asked.subjects(admin)).not.toContain('other asks to join Engine')
  expect(await asked.subjects(owner)).toContain('other asks to join Engine')
})

test('a removed person may ask, and of two decisions at once one counts', async () => {
  const { owner, admin, member, guest, subscriptionId, ...asked } = await anAskedProject()
  await asked.decides(admin, null)
  await owner.does('removeUser', { subscriptionId, userId: member.uid })
  await asked.asks(member)
  const { id: requestId } = await asked.request()
  const answers = await inParallel(6, (index) =>
    [owner, admin][index % 2]!.call('decideJoinRequest', {
      requestId,
      permissions: index % 3 === 0 ? [] : null,
    }),
  )
  expect(countOutcomes(answers)).toEqual({ done: 1, joinRequestNotFound: 5 })
  expect(await asked.asks(guest)).toEqual({})
})
