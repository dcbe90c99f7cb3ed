import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aProject, aWorld, inParallel, reasonOf, countOutcomes } from '../../tests/world.ts'

test('an invited user gets a mail with a link, sees the invitation in the app and can accept it', async () => {
  const { world, id, owner } = await aProject()
  await owner.renames(id, 'Bridge')
  await owner.call('createInvite', {
    subscriptionId: id,
    email: ' Bob@Example.com',
    permissions: ['editor'],
    name: 'Bob',
  })
  const bob = await world.aPerson('bob')
  const [, mail] = await world.mails('bob@example.com')
  expect(mail!.subject).toBe('owner invites you to Bridge on Atrium')
  expect(mail!.links[0]).toMatch(/^http:\/\/localhost:3000\/invitation\?code=/)
  const { result } = await bob.call('listInvites', {})
  expect(result!.invites).toMatchObject([
    {
      email: 'bob@example.com',
      subscription_name: 'Bridge',
      host_name: 'owner',
      permissions: ['access', 'editor'],
    },
  ])
  await bob.does('acceptInvite', { inviteId: result!.invites[0]!.id })
  expect((await bob.project(id)).permissions.editor).toEqual([bob.uid])
  expect((await bob.does('listInvites', {})).invites).toEqual([])
})

test('inviting a member is refused with alreadyMember, and inviting an address with a pending invitation with alreadyInvited', async () => {
  const { id, owner, bob } = await aProject({ people: { bob: [] } })
  const invite = (email: string) => owner.triesToInvite(id, email)
  await invite('carl@example.com')
  const again = await invite('CARL@example.com ')
  const told = [again.status, again.error!.status, reasonOf(again)]
  expect(told).toEqual([409, 'ALREADY_EXISTS', 'alreadyInvited'])
  expect(again.error!.message).toContain('pending invite')
  const member = await invite(bob.email)
  expect([member.status, reasonOf(member)]).toEqual([409, 'alreadyMember'])
  expect(member.error!.message).toContain('already a member')
})

test('an invitation with an unknown permission is refused and not mailed', async () => {
  const { world, id, owner } = await aProject()
  const answer = await owner.triesToInvite(id, 'bob@example.com', ['root' as 'admin'])
  expect(reasonOf(answer)).toBe('unknownPermission')
  expect(await world.mails('bob@example.com')).toEqual([])
})

test('a user must verify their email address to accept an invitation, and opening the mailed link verifies it', async () => {
  const { world, id, owner } = await aProject()
  await owner.invites(id, 'bob@example.com')
  const code = await world.mailedCode('bob@example.com')
  const bob = await world.aPerson('bob', { verified: false })
  expect((await bob.does('listInvites', {})).invites).toEqual([])
  const { result } = await world.call('checkInvite', { code })
  const inviteId = result!.invite.id
  await bob.cannot('acceptInvite', { inviteId }, 'emailNotVerified')
  await bob.call('checkInvite', { code })
  await bob.does('acceptInvite', { inviteId })
})

test('a user who answers an invitation of another person gets the same refusal as for an invitation that does not exist', async () => {
  const { world, id, owner } = await aProject()
  const { inviteId } = await owner.invites(id, 'bob@example.com')
  const mallory = await world.aPerson('mallory')
  const foreign = await mallory.call('acceptInvite', { inviteId })
  const missing = await mallory.call('acceptInvite', { inviteId: 'x'.repeat(20) })
  expect(foreign.error).toEqual(missing.error)
  expect(reasonOf(foreign)).toBe('inviteNotFound')
  await mallory.cannot('rejectInvite', { inviteId }, 'inviteNotFound')
  // The mailed link shows the invitation to any signed-in user, but does not let them join.
  const code = await world.mailedCode('bob@example.com')
  expect((await mallory.does('checkInvite', { code })).invite.email).toBe('bob@example.com')
})

test('an invitation that was accepted or rejected can’t be answered again', async () => {
  const { world, id, owner } = await aProject()
  const bob = await world.aPerson('bob')
  const invited = await owner.invites(id, bob.email)
  const code = await world.mailedCode(bob.email)
  const answers = await Promise.all([
    bob.call('acceptInvite', invited),
    bob.call('rejectInvite', invited),
    bob.call('acceptInvite', invited),
  ])
  expect(countOutcomes(answers)).toMatchObject({ done: 1, inviteNotPending: expect.any(Number) })
  await bob.cannot('checkInvite', { code }, 'inviteNotPending')
  const { details } = (await bob.call('acceptInvite', invited)).error!
  expect(details).toMatchObject({ status: expect.stringMatching(/^(accepted|rejected)$/) })
})

test('an invitation expires after fourteen days, which frees its seat for a new invitation', async () => {
  const { world, id, owner } = await aProject()
  const bob = await world.aPerson('bob')
  const first = await owner.invites(id, bob.email)
  const code = await world.mailedCode(bob.email)
  world.pass(limits.invites.live)
  await (await world.signedIn(bob)).cannot('acceptInvite', first, 'inviteExpired')
  await world.cannot('checkInvite', { code }, 'inviteExpired')
  await (await world.signedIn(owner)).invites(id, bob.email)
})

test('when ten invitations are sent at once and one seat is free, one invitation succeeds', async () => {
  const { id, owner, bob } = await aProject({ members: 7, people: { bob: ['admin'] } })
  const answers = await inParallel(10, (index) =>
    (index % 2 ? owner : bob).triesToInvite(id, `p${index}@example.com`),
  )
  expect(countOutcomes(answers)).toEqual({ done: 1, seatsFull: 9 })
  expect(answers.find(({ error }) => error)!.error).toMatchObject({
    status: 'RESOURCE_EXHAUSTED',
    details: { seats: 10 },
  })
})

test('a user with an unverified email address can’t send invitations', async () => {
  const world = await aWorld()
  const eve = await world.aPerson('eve', { verified: false })
  const bob = await world.aPerson('bob')
  const { subscriptionId } = await eve.starts()
  await world.addMember(subscriptionId, bob, ['admin'])
  await eve.cannot(
    'createInvite',
    { subscriptionId, email: 'zoe@example.com', permissions: [] },
    'emailNotVerified',
  )
  expect(await world.mails('zoe@example.com')).toEqual([])
  const invited = await bob.invites(subscriptionId, 'zoe@example.com')
  await eve.cannot('resendInvite', { subscriptionId, ...invited }, 'emailNotVerified')
  expect(await world.mails('zoe@example.com')).toHaveLength(1)
})

test('an invitation is resent at most once in ten minutes, even by parallel requests', async () => {
  const { world, id: subscriptionId, owner, bob } = await aProject({ people: { bob: ['admin'] } })
  const invite = async (email: string) => await owner.invites(subscriptionId, email)
  const [zoe, yan] = [await invite('zoe@example.com'), await invite('yan@example.com')]
  const answers = await Promise.all(
    [owner, bob, owner].map((admin) => admin.call('resendInvite', { subscriptionId, ...zoe })),
  )
  expect(countOutcomes(answers)).toEqual({ done: 1, 'auth/too-many-requests': 2 })
  const refused = answers.find(({ error }) => error)!
  const wait = refused.error!.details!['retryAfter'] as number
  expect(wait).toBeGreaterThan(9 * 60)
  expect(wait).toBeLessThanOrEqual(10 * 60)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(wait)])
  expect(await world.mails('zoe@example.com')).toHaveLength(2)
  await owner.does('resendInvite', { subscriptionId, ...yan })
})

test('strangers together can send at most five invitations a day to one mailbox, and addresses that differ after a plus sign count as one mailbox', async () => {
  const { world, id, owner } = await aProject()
  const bob = await world.aPerson('bob')
  const { subscriptionId: other } = await bob.starts()
  const invite = (by: typeof bob, subscriptionId: string, email: string) =>
    by.triesToInvite(subscriptionId, email)
  const addresses = [
    'zoe@example.com',
    'zoe+1@example.com',
    'ZOE+2@Example.com',
    'zoe+a+b@example.com',
  ]
  const answers = await Promise.all(
    addresses.flatMap((email) => [invite(owner, id, email), invite(bob, other, email)]),
  )
  expect(countOutcomes(answers)).toEqual({ done: 5, inviteeBusy: 3 })
  const { status, error, headers } = answers.find(({ error }) => error)!
  expect([status, error!.status, headers.get('retry-after')]).toEqual([
    429,
    'RESOURCE_EXHAUSTED',
    String(error!.details!['retryAfter']),
  ])
  const mails = await Promise.all(addresses.map((email) => world.mails(email.toLowerCase())))
  expect(mails.flat()).toHaveLength(5)
  const taken = async (by: typeof bob, subscriptionId: string) =>
    (await by.does('getSubscriptionUsers', { subscriptionId })).seats.pending
  expect((await taken(owner, id)) + (await taken(bob, other))).toBe(5)
  expect((await invite(bob, other, 'zoey@example.com')).status).toBe(200)
})

test('a refused invitation does not count against the daily limit of invitations to one mailbox', async () => {
  const { id, owner } = await aProject({ members: 8 })
  const invite = (email: string) => owner.triesToInvite(id, email)
  for (let turn = 0; turn < 4; turn++) {
    const { inviteId } = (await invite('zoe@example.com')).result!
    expect(reasonOf(await invite('zoe@example.com'))).toBe('alreadyInvited')
    expect(reasonOf(await invite('zoe+other@example.com'))).toBe('seatsFull')
    await owner.call('revokeInvite', { subscriptionId: id, inviteId })
  }
  expect((await invite('zoe@example.com')).status).toBe(200)
})

test('the daily limit of invitations to one mailbox does not apply between people who share a project or accepted an invitation before', async () => {
  const { world, owner, bob } = await aProject({ people: { bob: [] } })
  const carl = await world.aPerson('carl')
  const { subscriptionId } = await owner.starts()
  const invite = async ({ email }: typeof bob) => owner.triesToInvite(subscriptionId, email)
  const revoke = ({ inviteId }: { inviteId: string }) =>
    owner.call('revokeInvite', { subscriptionId, inviteId })
  await carl.call('acceptInvite', (await invite(carl)).result!)
  await carl.call('leaveSubscription', { subscriptionId })
  for (let turn = 0; turn < 7; turn++)
    for (const person of [bob, carl]) await revoke((await invite(person)).result!)
  expect(await world.mails(bob.email)).toHaveLength(1 + 7)
  expect(await world.mails(carl.email)).toHaveLength(2 + 7)
})
