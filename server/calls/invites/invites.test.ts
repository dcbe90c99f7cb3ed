import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aWorld, reasonOf, refusedWith } from '../../../tests/world.ts'

test('an invitation is mailed with its link, listed for the invitee and accepted', async () => {
  const world = await aWorld()
  const { id, owner } = await world.aProject()
  await owner.call('updateSubscriptionSettings', { subscriptionId: id, settings: { name: 'Bridge' } })
  await owner.call('createInvite', { subscriptionId: id, email: ' Bob@Example.com', permissions: ['editor'], name: 'Bob' })
  const bob = await world.aPerson('bob')
  const [, mail] = await world.mails('bob@example.com')
  expect(mail!.subject).toBe('owner invites you to Bridge on Atrium')
  expect(mail!.links[0]).toMatch(/^http:\/\/localhost:3000\/invitation\?code=/)
  const { result } = await bob.call('listInvites', {})
  expect(result!.invites).toMatchObject([
    { email: 'bob@example.com', subscription_name: 'Bridge', host_name: 'owner', permissions: ['access', 'editor'] },
  ])
  expect((await bob.call('acceptInvite', { inviteId: result!.invites[0]!.id })).result).toEqual({})
  expect((await bob.call('getSubscription', { subscriptionId: id })).result!.subscription.permissions.editor).toEqual([bob.uid])
  expect((await bob.call('listInvites', {})).result!.invites).toEqual([])
})

test('an address with a pending invite, or of a member, is refused in the words that clients look for', async () => {
  const world = await aWorld()
  const { id, owner, bob } = await world.aProject({ people: { bob: [] } })
  const invite = (email: string) => owner.call('createInvite', { subscriptionId: id, email, permissions: [] })
  await invite('carl@example.com')
  const again = await invite('CARL@example.com ')
  expect([again.status, again.error!.status, reasonOf(again)]).toEqual([409, 'ALREADY_EXISTS', 'alreadyInvited'])
  expect(again.error!.message).toContain('pending invite')
  const member = await invite(bob.email)
  expect([member.status, reasonOf(member)]).toEqual([409, 'alreadyMember'])
  expect(member.error!.message).toContain('already a member')
})

test('an unknown permission is refused and nothing is sent', async () => {
  const world = await aWorld()
  const { id, owner } = await world.aProject()
  const answer = await owner.call('createInvite', { subscriptionId: id, email: 'bob@example.com', permissions: ['root' as 'admin'] })
  expect(reasonOf(answer)).toBe('unknownPermission')
  expect(await world.mails('bob@example.com')).toEqual([])
})

test('only a verified address proves who is invited; the mailed link proves it too', async () => {
  const world = await aWorld()
  const { id, owner } = await world.aProject()
  await owner.call('createInvite', { subscriptionId: id, email: 'bob@example.com', permissions: [] })
  const code = await world.mailedCode('bob@example.com')
  const bob = await world.aPerson('bob', { verified: false })
  expect((await bob.call('listInvites', {})).result!.invites).toEqual([])
  const { result } = await world.call('checkInvite', { code })
  const inviteId = result!.invite.id
  expect(reasonOf(await bob.call('acceptInvite', { inviteId }))).toBe('emailNotVerified')
  await bob.call('checkInvite', { code })
  expect((await bob.call('acceptInvite', { inviteId })).status).toBe(200)
})

test('an invitation is nobody else’s, and says no more to strangers than one that never was', async () => {
  const world = await aWorld()
  const { id, owner } = await world.aProject()
  const { result } = await owner.call('createInvite', { subscriptionId: id, email: 'bob@example.com', permissions: [] })
  const mallory = await world.aPerson('mallory')
  const foreign = await mallory.call('acceptInvite', { inviteId: result!.inviteId })
  const missing = await mallory.call('acceptInvite', { inviteId: 'x'.repeat(20) })
  expect(foreign.error).toEqual(missing.error)
  expect(reasonOf(foreign)).toBe('inviteNotFound')
  expect(reasonOf(await mallory.call('rejectInvite', { inviteId: result!.inviteId }))).toBe('inviteNotFound')
  // Signed in as somebody else, the link shows the invitation but verifies and joins nobody.
  const code = await world.mailedCode('bob@example.com')
  expect((await mallory.call('checkInvite', { code })).result!.invite.email).toBe('bob@example.com')
})

test('a rejected or accepted invitation can’t be answered again', async () => {
  const world = await aWorld()
  const { id, owner } = await world.aProject()
  const bob = await world.aPerson('bob')
  const { result } = await owner.call('createInvite', { subscriptionId: id, email: bob.email, permissions: [] })
  const code = await world.mailedCode(bob.email)
  const answers = await Promise.all([
    bob.call('acceptInvite', result!),
    bob.call('rejectInvite', result!),
    bob.call('acceptInvite', result!),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(refusedWith('inviteNotPending')).length).toBeGreaterThanOrEqual(1)
  expect(reasonOf(await bob.call('checkInvite', { code }))).toBe('inviteNotPending')
})

test('an invitation ends after fourteen days and makes room for a new one', async () => {
  const world = await aWorld()
  const { id, owner } = await world.aProject()
  const bob = await world.aPerson('bob')
  const first = await owner.call('createInvite', { subscriptionId: id, email: bob.email, permissions: [] })
  const code = await world.mailedCode(bob.email)
  world.pass(limits.invites.live)
  const again = await world.call('signIn', { email: bob.email, password: bob.password })
  const token = again.result!.token
  expect(reasonOf(await world.call('acceptInvite', first.result!, { token }))).toBe('inviteExpired')
  expect(reasonOf(await world.call('checkInvite', { code }))).toBe('inviteExpired')
  const { result } = await world.call('signIn', { email: owner.email, password: owner.password })
  expect(
    (await world.call('createInvite', { subscriptionId: id, email: bob.email, permissions: [] }, { token: result!.token })).status,
  ).toBe(200)
})

test('ten racing invites for the last seat take one seat', async () => {
  const world = await aWorld()
  const { id, owner, bob } = await world.aProject({ members: 7, people: { bob: ['admin'] } })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? owner : bob).call('createInvite', { subscriptionId: id, email: `p${index}@example.com`, permissions: [] }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(refusedWith('seatsFull'))).toHaveLength(9)
  expect(answers.find(refusedWith('seatsFull'))!.error).toMatchObject({ status: 'RESOURCE_EXHAUSTED', details: { seats: 10 } })
})

test('racing accepts and invites around the last seats leave as many members as seats', async () => {
  const world = await aWorld()
  const { id, owner } = await world.aProject({ members: 4 })
  const people = await Promise.all(['p1', 'p2', 'p3', 'p4', 'p5'].map((name) => world.aPerson(name)))
  const invited = await Promise.all(people.map(({ email }) => owner.call('createInvite', { subscriptionId: id, email, permissions: [] })))
  const answers = await Promise.all([
    ...people.map((person, index) => person.call('acceptInvite', invited[index]!.result!)),
    ...people.map((_, index) => owner.call('createInvite', { subscriptionId: id, email: `more${index}@example.com`, permissions: [] })),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.filter(refusedWith('seatsFull'))).toHaveLength(5)
  const { result } = await owner.call('getSubscriptionUsers', { subscriptionId: id })
  expect(result!.total).toBe(10)
  expect(result!.users.every(({ status }) => status === 'active')).toBe(true)
})
