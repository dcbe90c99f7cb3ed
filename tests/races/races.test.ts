import { expect, onTestFinished, test } from 'vitest'
import { aStage, together, type Person } from './stage.ts'

const rounds = Number(process.env['RACE_ROUNDS'] ?? 200)

type Stage = Awaited<ReturnType<typeof aStage>>
type Race = (
  stage: Stage,
  owner: Person,
) => Promise<{ project: string; outcomes: unknown[]; may: unknown[][] }>

/** Each runs again and again on two servers; `may` are the outcomes there can be, in the order of the calls. */
const races: Record<string, Race> = {
  async 'two invites for the last seat'({ aPerson, aProject, join, fill }, owner) {
    const project = await aProject(owner)
    const admin = await aPerson()
    await join(project, admin, ['admin'])
    await fill(project, 7)
    const invite = (by: Person, email: string) =>
      by.ask('createInvite', { subscriptionId: project, email, permissions: [] })
    const outcomes = await together(
      () => invite(owner, addressFor(project)),
      () => invite(admin, addressFor(project, 'another')),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'seatsFull'],
        ['seatsFull', 'done'],
      ],
    }
  },

  async 'an expired invite sent again, against a new one for the last seat'(
    { aPerson, aProject, fill, invite },
    owner,
  ) {
    const project = await aProject(owner)
    const inviteId = await invite(project, owner, await aPerson(), { lives: -1 })
    await fill(project, 8)
    const outcomes = await together(
      () => owner.ask('resendInvite', { subscriptionId: project, inviteId }),
      () =>
        owner.ask('createInvite', {
          subscriptionId: project,
          email: addressFor(project),
          permissions: [],
        }),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'seatsFull'],
        ['seatsFull', 'done'],
      ],
    }
  },

  async 'an accept and the invite for the seat that it holds'(
    { aPerson, aProject, fill, invite },
    owner,
  ) {
    const project = await aProject(owner)
    const guest = await aPerson()
    const inviteId = await invite(project, owner, guest)
    await fill(project, 8)
    const outcomes = await together(
      () => guest.ask('acceptInvite', { inviteId }),
      () =>
        owner.ask('createInvite', {
          subscriptionId: project,
          email: addressFor(project),
          permissions: [],
        }),
    )
    return { project, outcomes, may: [['done', 'seatsFull']] }
  },

  async 'accept against revoke'({ aPerson, aProject, invite }, owner) {
    const project = await aProject(owner)
    const guest = await aPerson()
    const inviteId = await invite(project, owner, guest)
    const outcomes = await together(
      () => guest.ask('acceptInvite', { inviteId }),
      () => owner.ask('revokeInvite', { subscriptionId: project, inviteId }),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'inviteNotPending'],
        ['inviteNotPending', 'done'],
      ],
    }
  },

  async 'accept against expiry and a new invite'({ aPerson, aProject, invite }, owner) {
    const project = await aProject(owner)
    const guest = await aPerson()
    const inviteId = await invite(project, owner, guest, { lives: Math.random() * 10 })
    const outcomes = await together(
      () => guest.ask('acceptInvite', { inviteId }),
      () =>
        owner.ask('createInvite', { subscriptionId: project, email: guest.email, permissions: [] }),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'alreadyMember'],
        ['done', 'alreadyInvited'],
        ['inviteExpired', 'done'],
        ['inviteExpired', 'alreadyInvited'],
        ['inviteNotPending', 'done'],
      ],
    }
  },

  async 'accept against the end of the project'({ aPerson, aProject, invite }, owner) {
    const project = await aProject(owner)
    const guest = await aPerson()
    const inviteId = await invite(project, owner, guest)
    const outcomes = await together(
      () => guest.ask('acceptInvite', { inviteId }),
      () => owner.ask('cancelSubscription', { subscriptionId: project, confirmationId: project }),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'done'],
        ['inviteNotPending', 'done'],
        ['subscriptionCanceled', 'done'],
      ],
    }
  },

  async 'two administrators removing each other'({ aPerson, aProject, join }, owner) {
    const project = await aProject(owner)
    const [one, other] = [await aPerson(), await aPerson()]
    for (const admin of [one, other]) await join(project, admin, ['admin'])
    const remove = (by: Person, whom: Person) =>
      by.ask('removeUser', { subscriptionId: project, userId: whom.uid })
    const outcomes = await together(
      () => remove(one, other),
      () => remove(other, one),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'accessDenied'],
        ['accessDenied', 'done'],
      ],
    }
  },

  async 'a permission edit against a removal'({ aPerson, aProject, join }, owner) {
    const project = await aProject(owner)
    const [admin, member] = [await aPerson(), await aPerson()]
    await join(project, admin, ['admin'])
    await join(project, member)
    const outcomes = await together(
      () =>
        owner.ask('updateUserPermissions', {
          subscriptionId: project,
          userId: member.uid,
          permissions: ['editor'],
        }),
      () => admin.ask('removeUser', { subscriptionId: project, userId: member.uid }),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'done'],
        ['userNotFound', 'done'],
      ],
    }
  },

  async 'two edits of one member, each from what was read before'(
    { aPerson, aProject, join },
    owner,
  ) {
    const project = await aProject(owner)
    const [admin, member] = [await aPerson(), await aPerson()]
    await join(project, admin, ['admin'])
    await join(project, member)
    const edit = (by: Person, permissions: ('editor' | 'admin')[]) =>
      by.ask('updateUserPermissions', {
        subscriptionId: project,
        userId: member.uid,
        permissions,
        was: ['access'],
      })
    const outcomes = await together(
      () => edit(owner, ['editor']),
      () => edit(admin, ['admin']),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'permissionsChanged'],
        ['permissionsChanged', 'done'],
      ],
    }
  },

  async 'a transfer against the removal of the receiver'({ aPerson, aProject, join }, owner) {
    const { project, receiver, admin } = await aProjectToTransfer(
      { aPerson, aProject, join },
      owner,
    )
    const outcomes = await together(
      () =>
        owner.ask('transferSubscriptionOwnership', {
          subscriptionId: project,
          newOwnerId: receiver.uid,
        }),
      () => admin.ask('removeUser', { subscriptionId: project, userId: receiver.uid }),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'ownerUntouchable'],
        ['notEligibleOwner', 'done'],
      ],
    }
  },

  async 'a transfer against the demotion of the receiver'({ aPerson, aProject, join }, owner) {
    const { project, receiver, admin } = await aProjectToTransfer(
      { aPerson, aProject, join },
      owner,
    )
    const outcomes = await together(
      () =>
        owner.ask('transferSubscriptionOwnership', {
          subscriptionId: project,
          newOwnerId: receiver.uid,
        }),
      () =>
        admin.ask('updateUserPermissions', {
          subscriptionId: project,
          userId: receiver.uid,
          permissions: [],
        }),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'ownerUntouchable'],
        ['notEligibleOwner', 'done'],
      ],
    }
  },

  async 'a transfer against the deletion of the receiver'({ aPerson, aProject, join }, owner) {
    const { project, receiver } = await aProjectToTransfer({ aPerson, aProject, join }, owner)
    const outcomes = await together(
      () =>
        owner.ask('transferSubscriptionOwnership', {
          subscriptionId: project,
          newOwnerId: receiver.uid,
        }),
      () => receiver.ask('deleteAccount', { confirmationId: receiver.uid }),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'ownsActiveProjects'],
        ['notEligibleOwner', 'done'],
      ],
    }
  },

  async 'leaving against being made administrator'({ aPerson, aProject, join }, owner) {
    const project = await aProject(owner)
    const member = await aPerson()
    await join(project, member)
    const outcomes = await together(
      () => member.ask('leaveSubscription', { subscriptionId: project }),
      () =>
        owner.ask('updateUserPermissions', {
          subscriptionId: project,
          userId: member.uid,
          permissions: ['admin'],
        }),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'done'],
        ['done', 'userNotFound'],
      ],
    }
  },

  async 'leaving against being made owner'({ aPerson, aProject, join }, owner) {
    const { project, receiver } = await aProjectToTransfer({ aPerson, aProject, join }, owner)
    const outcomes = await together(
      () =>
        owner.ask('transferSubscriptionOwnership', {
          subscriptionId: project,
          newOwnerId: receiver.uid,
        }),
      () => receiver.ask('leaveSubscription', { subscriptionId: project }),
    )
    return {
      project,
      outcomes,
      may: [
        ['done', 'ownerCannotLeave'],
        ['notEligibleOwner', 'done'],
      ],
    }
  },
}

test(
  `each race, ${rounds} rounds on two servers, leaves order behind and tells every loser why`,
  { timeout: 900_000 },
  async () => {
    const stage = await aStage()
    const seen: Record<string, Record<string, number>> = {}
    onTestFinished(({ task }) => void (task.result?.state === 'fail' && console.log(seen)))
    for (const [name, race] of Object.entries(races)) {
      const counts: Record<string, number> = (seen[name] = {})
      const owner = await stage.aPerson()
      for (let round = 0; round < rounds; round++) {
        const { project, outcomes, may } = await race(stage, owner)
        counts[outcomes.join(' + ')] = (counts[outcomes.join(' + ')] ?? 0) + 1
        expect(may, `${name}, round ${round}`).toContainEqual(outcomes)
        await stage.expectOrder(project)
      }
    }
    if (process.env['RACE_ROUNDS']) console.log(seen)
  },
)

async function aProjectToTransfer(
  { aPerson, aProject, join }: Pick<Stage, 'aPerson' | 'aProject' | 'join'>,
  owner: Person,
) {
  const project = await aProject(owner)
  const [receiver, admin] = [await aPerson(), await aPerson()]
  for (const person of [receiver, admin]) await join(project, person, ['admin'])
  return { project, receiver, admin }
}

/** Of somebody new in every round: a mailbox takes only so many invitations a day. */
function addressFor(project: string, who = 'somebody') {
  return `${who}-${project}@example.com`.toLowerCase()
}
