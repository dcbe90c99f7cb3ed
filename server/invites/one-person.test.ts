import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { hold, untilSomebodyWaits } from '../../tests/database.ts'
import { aProject } from '../../tests/world.ts'

const taken = (members: number, pending: number) => expect.objectContaining({ members, pending })

test('a member who comes to an invited address keeps one seat, and the invitation to it ends', async () => {
  const { world, id, owner, mia, ned } = await aProject({ people: { mia: [], ned: [] } })
  const [hers, his] = ['mia@new.example', 'ned@new.example']
  await owner.invites(id, hers)
  const code = await world.mailedCode(hers)
  await owner.invites(id, his)
  expect(await owner.seats(id)).toEqual(taken(3, 2))
  await world.move(mia, hers)
  expect(await owner.seats(id)).toEqual(taken(3, 1))
  expect(await mia.does('listInvites', {})).toEqual({ invites: [] })
  const { details } = (await mia.call('checkInvite', { code })).error!
  expect(details).toMatchObject({ reason: 'inviteNotPending', status: 'accepted' })
  await owner.cannot(
    'createInvite',
    { subscriptionId: id, email: hers, permissions: [] },
    'alreadyMember',
  )

  // Without a session, another person may have opened the link, until the account is claimed.
  await ned.does('updateEmail', { newEmail: his })
  await world.openMail(his)
  expect(await owner.seats(id)).toEqual(taken(3, 1))
  await ned.does('sendVerificationEmail', {})
  await world.openMail(his, ned)
  expect(await owner.seats(id)).toEqual(taken(3, 0))
})

test('an invitation that is sent to an address while a member comes to it, or leaves it, stands for nobody else', async () => {
  const { world, id, owner, mia } = await aProject({ people: { mia: [] } })
  const guest = await world.aPerson('guest')
  const moves = [
    { person: mia, from: mia.email, to: 'mia@new.example', refused: 'alreadyMember' },
    { person: guest, from: guest.email, to: 'guest@new.example', refused: 'inviteeMoved' },
  ] as const
  for (const { person, from, to, refused } of moves) {
    await person.does('updateEmail', { newEmail: to })
    // The change of address waits with all its statements but the last ones.
    const letGo = await hold(world.pool, 'lock table activity in exclusive mode')
    const moving = world.openMail(to, person)
    await untilSomebodyWaits(world.pool, 'activity')
    const email = refused === 'alreadyMember' ? to : from
    const inviting = owner.refusal('createInvite', { subscriptionId: id, email, permissions: [] })
    await untilSomebodyWaits(world.pool, '', 2)
    await letGo()
    await moving
    expect(await inviting).toBe(refused)
  }
  expect(await owner.seats(id)).toEqual(taken(2, 0))
})

test('invitations follow a person to their new address, one for each project, and nobody invites the former one', async () => {
  const { world, id, owner } = await aProject()
  const { subscriptionId: other } = await owner.starts()
  const [bob, carl] = await world.somePeople('bob', 'carl')
  const email = 'bob@new.example'
  for (const to of [bob.email, email]) await owner.invites(id, to, ['editor'])
  const { inviteId } = await owner.invites(other, bob.email)
  const code = await world.mailedCode(bob.email)
  await world.move(bob, email)
  const { invites } = await bob.does('listInvites', {})
  expect(invites.map((invite) => [invite.subscription_id, invite.email])).toEqual([
    [other, email],
    [id, email],
  ])
  expect(await owner.seats(id)).toEqual(taken(1, 1))
  expect(await world.does('checkInvite', { code })).toMatchObject({ isMailed: false })
  for (const invite of invites) await bob.does('acceptInvite', { inviteId: invite.id })
  expect(invites.map(({ id }) => id)).toContain(inviteId)
  for (const project of [id, other]) expect(await owner.seats(project)).toEqual(taken(2, 0))

  const again = { subscriptionId: id, email: bob.email, permissions: [] }
  await owner.cannot('createInvite', again, 'inviteeMoved')
  await world.untilWorkedOff()
  world.pass(limits.actionCodes.recoverEmail)
  await (await world.signedIn(owner)).does('createInvite', again)

  // A change that anything may have confirmed takes no invitation along.
  const former = await world.signedIn(carl)
  await (await world.signedIn(owner)).invites(id, carl.email)
  await former.does('updateEmail', { newEmail: 'carl@new.example' })
  await world.openMail('carl@new.example')
  await world.openMail(carl.email)
  const oobCode = await world.mailedCode(carl.email)
  await world.does('confirmPasswordReset', { oobCode, newPassword: 'another secret' })
  const back = await world.signedIn({ ...carl, password: 'another secret' })
  expect((await back.does('listInvites', {})).invites).toHaveLength(1)
})
