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
  expect(mail!.subject).toBe('owner invites you to Bridge on Pergola')
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

test('a user must verify their email address to accept an invitation, is told only that one waits, and opening the mailed link verifies it', async () => {
  const { world, id, owner } = await aProject()
  const bob = await world.aPerson('bob', { verified: false })
  expect(await bob.does('listInvites', {})).toEqual({ invites: [] })
  await owner.invites(id, 'bob@example.com')
  const code = await world.mailedCode('bob@example.com')
  expect(await bob.does('listInvites', {})).toEqual({ invites: [], waiting: true })
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
  // A mail whose link was replaced before it left is not sent.
  expect(await world.mails('zoe@example.com')).toHaveLength(1)
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

test('strangers together mail at most ten invitations a day to one mailbox, and all are made', async () => {
  const world = await aWorld()
  const hosts = await world.somePeople('ann', 'bob', 'carl')
  const answers = await Promise.all(
    hosts.map(async (host) => {
      const { subscriptionId } = await host.starts()
      return inParallel(5, async (n) => host.triesToInvite(subscriptionId, `z.oe+${n}@gmail.com`))
    }),
  )
  expect(countOutcomes(answers.flat())).toEqual({ done: 15 })
  const unmailed = answers.flat().filter(({ result }) => result!.mailed === false)
  expect(unmailed).toHaveLength(5)
  const mails = await inParallel(5, (n) => world.mails(`z.oe+${n}@gmail.com`))
  expect(mails.flat()).toHaveLength(10)
})

test('one sender’s burst leaves room for the invitations of others', async () => {
  const { world, id, owner } = await aProject()
  const eve = await world.aPerson('eve')
  const { subscriptionId } = await eve.starts()
  const burst = []
  for (let turn = 0; turn < 9; turn++) {
    const { inviteId, mailed } = await eve.invites(subscriptionId, `zoe+${turn}@example.com`)
    burst.push(mailed)
    await eve.does('revokeInvite', { subscriptionId, inviteId })
  }
  expect(burst.filter((mailed) => mailed === undefined)).toHaveLength(6)
  expect(await owner.invites(id, 'zoe@example.com')).toEqual({ inviteId: expect.any(String) })
  expect(await world.mails('zoe@example.com')).toHaveLength(1)
})

test('an invitation that can’t be mailed today has a link, shows in the app and can be accepted', async () => {
  const { world, id: subscriptionId, owner } = await aProject()
  const bob = await world.aPerson('bob')
  await world.useUp('mailsToMailbox', world.mailbox(bob.email), 10)
  const { inviteId, mailed } = await owner.invites(subscriptionId, bob.email)
  expect([mailed, (await world.mails(bob.email)).length]).toEqual([false, 1])
  const asOf = { subscriptionId, inviteId }
  const busy = await owner.call('resendInvite', asOf)
  expect([busy.status, reasonOf(busy)]).toEqual([429, 'inviteeBusy'])
  expect(busy.headers.get('retry-after')).toBe(String(busy.error!.details!['retryAfter']))
  const { code } = await owner.does('createInviteLink', asOf)
  const { invite } = await bob.does('checkInvite', { code })
  await bob.does('acceptInvite', { inviteId: invite.id })
})

test('a refused invitation counts for nothing against the mails of a mailbox or a sender', async () => {
  const { world, id, owner } = await aProject({ members: 8 })
  const invite = (email: string) => owner.triesToInvite(id, email)
  for (let turn = 0; turn < 5; turn++) {
    const { inviteId, mailed } = (await invite('zoe@example.com')).result!
    expect(mailed).toBeUndefined()
    expect(reasonOf(await invite('zoe@example.com'))).toBe('alreadyInvited')
    expect(reasonOf(await invite('zoe+other@example.com'))).toBe('seatsFull')
    await world.untilWorkedOff()
    await owner.call('revokeInvite', { subscriptionId: id, inviteId })
  }
  await invite('zoe@example.com')
  expect(await world.mails('zoe@example.com')).toHaveLength(6)
})

test('people who share or shared a project get six invitations a day from each other', async () => {
  const { world, owner, bob, dora } = await aProject({ people: { bob: [], dora: [] } })
  const carl = await world.aPerson('carl')
  const { subscriptionId } = await owner.starts()
  const invite = async ({ email }: typeof bob) => owner.invites(subscriptionId, email)
  const revoke = ({ inviteId }: { inviteId: string }) =>
    owner.call('revokeInvite', { subscriptionId, inviteId })
  const first = await invite(carl)
  await world.untilWorkedOff()
  await carl.call('acceptInvite', first)
  await carl.call('leaveSubscription', { subscriptionId })
  for (let turn = 0; turn < 9; turn++)
    for (const person of [bob, carl]) {
      const invited = await invite(person)
      await world.untilWorkedOff()
      await revoke(invited)
    }
  expect(await world.mails(bob.email)).toHaveLength(1 + 6)
  expect(await world.mails(carl.email)).toHaveLength(1 + 6)
  // Strangers' mails don't use up what acquaintances may send.
  await world.useUp('mailsToMailbox', world.mailbox(dora.email), 10)
  expect(await invite(dora)).not.toHaveProperty('mailed')
})
