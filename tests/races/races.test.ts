import type { PermissionKey } from '#config/permissions.ts'
import { test } from 'vitest'
import type { SubscriptionId } from '../../server/platform/ids.ts'
import { aStage, runRaces, together, type Person, type Races, type Stage } from './stage.ts'

const rounds = Number(process.env['RACE_ROUNDS'] ?? 200)

const races: Races<Person> = {
  async 'two invites for the last seat'({ aProject, aMember, fill }, owner) {
    const project = await aProject(owner)
    const admin = await aMember(project, ['admin'])
    await fill(project, 7)
    const outcomes = await together(
      () => invites(project, owner, addressFor(project)),
      () => invites(project, admin, addressFor(project, 'another')),
    )
    return { project, outcomes, may: ['done + seatsFull', 'seatsFull + done'] }
  },

  async 'two who join by the link for the last seat, and an invite for it'(stage, owner) {
    const { aProject, aMember, aPerson, fill } = stage
    const project = await aProject(owner)
    const admin = await aMember(project, ['admin'])
    const [one, other] = [await aPerson(), await aPerson()]
    const link = await linkTo(project, owner)
    await fill(project, 7)
    const outcomes = await together(
      () => one.ask('joinByLink', link),
      () => other.ask('joinByLink', link),
      () => invites(project, admin, addressFor(project)),
    )
    const full = 'seatsFull'
    const may = [
      ['done', full, full],
      [full, 'done', full],
      [full, full, 'done'],
    ]
    return { project, outcomes, may: may.map((each) => each.join(' + ')) }
  },

  async 'two who join by a link for one'({ aProject, aPerson }, owner) {
    const project = await aProject(owner)
    const [one, other] = [await aPerson(), await aPerson()]
    const link = await linkTo(project, owner, { uses: 1 })
    const outcomes = await together(
      () => one.ask('joinByLink', link),
      () => other.ask('joinByLink', link),
    )
    return { project, outcomes, may: ['done + inviteNotFound', 'inviteNotFound + done'] }
  },

  async 'somebody who joins by the link and accepts an invite for the last seat'(stage, owner) {
    const { aProject, aPerson, fill, invite } = stage
    const project = await aProject(owner)
    const guest = await aPerson()
    const link = await linkTo(project, owner)
    const inviteId = await invite(project, owner, guest)
    await fill(project, 8)
    const outcomes = await together(
      () => guest.ask('joinByLink', link),
      () => guest.ask('acceptInvite', { inviteId }),
    )
    return { project, outcomes, may: ['done + inviteNotPending', 'done + done'] }
  },

  async 'somebody who joins by the link against its end and its maker’s'(stage, owner) {
    const { aProject, aPerson, aMember } = stage
    const project = await aProject(owner)
    const [guest, maker] = [await aPerson(), await aMember(project, ['admin'])]
    const link = await linkTo(project, maker)
    const outcomes = await together(
      () => guest.ask('joinByLink', link),
      () => edit(project, owner, maker, []),
      () => owner.ask('revokeJoinLink', { subscriptionId: project }),
    )
    return { project, outcomes, may: ['done + done + done', 'inviteNotFound + done + done'] }
  },

  async 'two links that are made at once'({ aProject, aMember, visitor }, owner) {
    const project = await aProject(owner)
    const admin = await aMember(project, ['admin'])
    const codes: string[] = []
    const outcomes = await together(
      ...[owner, admin].map((maker) => async () => {
        const made = await maker.ask('createJoinLink', { subscriptionId: project, permissions: [] })
        codes.push(made.result!.code)
        return made
      }),
    )
    const checked = await Promise.all(codes.map((code) => visitor('checkJoinLink', { code })))
    const working = checked.filter(({ error }) => !error).length
    return { project, outcomes: [...outcomes, working], may: ['done + done + 1'] }
  },

  async 'two answers to a request for the last seat, and a join by the link'(stage, owner) {
    const { aProject, aPerson, aMember, fill } = stage
    const project = await aProject(owner)
    const [one, other, admin] = [
      await aPerson(),
      await aPerson(),
      await aMember(project, ['admin']),
    ]
    const link = await linkTo(project, owner)
    const requestId = await requestOf(one, project, owner)
    await fill(project, 7)
    const decide = (by: Person) => by.ask('decideJoinRequest', { requestId, permissions: [] })
    const outcomes = await together(
      () => decide(owner),
      () => decide(admin),
      () => other.ask('joinByLink', link),
    )
    const may = [
      'done + joinRequestNotFound + seatsFull',
      'joinRequestNotFound + done + seatsFull',
      'seatsFull + seatsFull + done',
    ]
    return { project, outcomes, may }
  },

  async 'a yes to a request against an invite to who asks'({ aProject, aPerson }, owner) {
    const project = await aProject(owner)
    const guest = await aPerson()
    const requestId = await requestOf(guest, project, owner)
    const outcomes = await together(
      () => owner.ask('decideJoinRequest', { requestId, permissions: [] }),
      () => invites(project, owner, guest.email),
    )
    return { project, outcomes, may: ['done + alreadyMember', 'joinRequestNotFound + done'] }
  },

  async 'a request against the deletion of who asks'({ aProject, aPerson }, owner) {
    const project = await aProject(owner)
    const guest = await aPerson()
    const outcomes = await together(
      () => guest.ask('requestToJoin', { subscriptionId: project }),
      () => guest.ask('deleteAccount', { confirmationId: guest.uid }),
    )
    return { project, outcomes, may: ['done + done', 'sessionEnded + done'] }
  },

  async 'a yes to a request against the deletion of who asks'({ aProject, aPerson }, owner) {
    const project = await aProject(owner)
    const guest = await aPerson()
    const requestId = await requestOf(guest, project, owner)
    const outcomes = await together(
      () => owner.ask('decideJoinRequest', { requestId, permissions: [] }),
      () => guest.ask('deleteAccount', { confirmationId: guest.uid }),
    )
    return { project, outcomes, may: ['done + done', 'joinRequestNotFound + done'] }
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
      () => invites(project, owner, addressFor(project)),
    )
    return { project, outcomes, may: ['done + seatsFull', 'seatsFull + done'] }
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
      () => invites(project, owner, addressFor(project)),
    )
    return { project, outcomes, may: ['done + seatsFull'] }
  },

  async 'accepting an invite against revoking it'({ aPerson, aProject, invite }, owner) {
    const project = await aProject(owner)
    const guest = await aPerson()
    const inviteId = await invite(project, owner, guest)
    const outcomes = await together(
      () => guest.ask('acceptInvite', { inviteId }),
      () => owner.ask('revokeInvite', { subscriptionId: project, inviteId }),
    )
    return { project, outcomes, may: ['done + inviteNotPending', 'inviteNotPending + done'] }
  },

  async 'accepting an invite against the removal of its host'(
    { aMember, aPerson, aProject, invite },
    owner,
  ) {
    const project = await aProject(owner)
    const host = await aMember(project, ['admin'])
    const guest = await aPerson()
    const inviteId = await invite(project, host, guest)
    const outcomes = await together(
      () => guest.ask('acceptInvite', { inviteId }),
      () => owner.ask('removeUser', { subscriptionId: project, userId: host.uid }),
    )
    return { project, outcomes, may: ['done + done', 'inviteNotPending + done'] }
  },

  async 'an invite against the demotion of its host, or the end of their account'(
    { aMember, aProject, invite, aPerson },
    owner,
  ) {
    const project = await aProject(owner)
    const host = await aMember(project, ['admin'])
    await invite(project, host, await aPerson())
    const isDemotion = Math.random() < 0.5
    const outcomes = await together(
      () => invites(project, host, addressFor(project)),
      () =>
        isDemotion
          ? edit(project, owner, host, [])
          : host.ask('deleteAccount', { confirmationId: host.uid }),
    )
    const refused = isDemotion ? ['adminOnly'] : ['accessDenied', 'sessionEnded']
    return { project, outcomes, may: ['done', ...refused].map((first) => `${first} + done`) }
  },

  async 'accepting an expiring invite against a new invite'({ aPerson, aProject, invite }, owner) {
    const project = await aProject(owner)
    const guest = await aPerson()
    const inviteId = await invite(project, owner, guest, { lives: Math.random() * 10 })
    const outcomes = await together(
      () => guest.ask('acceptInvite', { inviteId }),
      () => invites(project, owner, guest.email),
    )
    return {
      project,
      outcomes,
      may: [
        'done + alreadyMember',
        'done + alreadyInvited',
        'inviteExpired + done',
        'inviteExpired + alreadyInvited',
        'inviteNotPending + done',
      ],
    }
  },

  async 'accepting an invite against the end of the project'({ aPerson, aProject, invite }, owner) {
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
      may: ['done + done', 'inviteNotPending + done', 'subscriptionCanceled + done'],
    }
  },

  async 'two administrators removing each other'({ aProject, aMember }, owner) {
    const project = await aProject(owner)
    const [one, other] = [await aMember(project, ['admin']), await aMember(project, ['admin'])]
    const remove = (by: Person, whom: Person) =>
      by.ask('removeUser', { subscriptionId: project, userId: whom.uid })
    const outcomes = await together(
      () => remove(one, other),
      () => remove(other, one),
    )
    return { project, outcomes, may: ['done + accessDenied', 'accessDenied + done'] }
  },

  async 'a permission edit against a removal'({ aProject, aMember }, owner) {
    const project = await aProject(owner)
    const [admin, member] = [await aMember(project, ['admin']), await aMember(project)]
    const outcomes = await together(
      () => edit(project, owner, member, ['editor']),
      () => admin.ask('removeUser', { subscriptionId: project, userId: member.uid }),
    )
    return { project, outcomes, may: ['done + done', 'userNotFound + done'] }
  },

  async 'two edits of one member, each from what was read before'({ aProject, aMember }, owner) {
    const project = await aProject(owner)
    const [admin, member] = [await aMember(project, ['admin']), await aMember(project)]
    const outcomes = await together(
      () => edit(project, owner, member, ['editor'], ['access']),
      () => edit(project, admin, member, ['admin'], ['access']),
    )
    return { project, outcomes, may: ['done + permissionsChanged', 'permissionsChanged + done'] }
  },

  async 'a transfer against the removal of the receiver'(stage, owner) {
    const { project, receiver, admin } = await aProjectToTransfer(stage, owner)
    const outcomes = await together(
      () => transfer(project, owner, receiver),
      () => admin.ask('removeUser', { subscriptionId: project, userId: receiver.uid }),
    )
    return { project, outcomes, may: ['done + ownerUntouchable', 'notEligibleOwner + done'] }
  },

  async 'a transfer against the demotion of the receiver'(stage, owner) {
    const { project, receiver, admin } = await aProjectToTransfer(stage, owner)
    const outcomes = await together(
      () => transfer(project, owner, receiver),
      () => edit(project, admin, receiver, []),
    )
    return { project, outcomes, may: ['done + ownerUntouchable', 'notEligibleOwner + done'] }
  },

  async 'a transfer against the deletion of the receiver'(stage, owner) {
    const { project, receiver } = await aProjectToTransfer(stage, owner)
    const outcomes = await together(
      () => transfer(project, owner, receiver),
      () => receiver.ask('deleteAccount', { confirmationId: receiver.uid }),
    )
    return { project, outcomes, may: ['done + ownsActiveProjects', 'notEligibleOwner + done'] }
  },

  async 'accepting an offered project on two devices, and taking the offer back'(stage, owner) {
    const { project, receiver } = await anOfferedProject(stage, owner)
    const accept = () => receiver.ask('acceptOwnership', { subscriptionId: project })
    const outcomes = await together(accept, accept, () =>
      owner.ask('endOwnershipOffer', { subscriptionId: project }),
    )
    const gone = 'ownershipNotOffered'
    return { project, outcomes, may: [`done + done + ${gone}`, `${gone} + ${gone} + done`] }
  },

  async 'accepting an offered project against the removal of who accepts'(stage, owner) {
    const { project, receiver, admin } = await anOfferedProject(stage, owner)
    const outcomes = await together(
      () => receiver.ask('acceptOwnership', { subscriptionId: project }),
      () => admin.ask('removeUser', { subscriptionId: project, userId: receiver.uid }),
    )
    return {
      project,
      outcomes,
      may: [
        'done + ownerUntouchable',
        'accessDenied + done',
        'notEligibleOwner + done',
        'ownershipNotOffered + done',
      ],
    }
  },

  async 'accepting an offered project against its transfer to another'(stage, owner) {
    const { project, receiver, admin } = await anOfferedProject(stage, owner)
    const outcomes = await together(
      () => receiver.ask('acceptOwnership', { subscriptionId: project }),
      () => transfer(project, owner, admin),
    )
    return { project, outcomes, may: ['done + ownerOnly', 'ownershipNotOffered + done'] }
  },

  async 'leaving a project against becoming administrator'({ aProject, aMember }, owner) {
    const project = await aProject(owner)
    const member = await aMember(project)
    const outcomes = await together(
      () => member.ask('leaveSubscription', { subscriptionId: project }),
      () => edit(project, owner, member, ['admin']),
    )
    return { project, outcomes, may: ['done + done', 'done + userNotFound'] }
  },

  async 'leaving a project against becoming its owner'(stage, owner) {
    const { project, receiver } = await aProjectToTransfer(stage, owner)
    const outcomes = await together(
      () => transfer(project, owner, receiver),
      () => receiver.ask('leaveSubscription', { subscriptionId: project }),
    )
    return { project, outcomes, may: ['done + ownerCannotLeave', 'notEligibleOwner + done'] }
  },
}

test(
  `in ${rounds} rounds of each race on two servers every losing call gets its reason`,
  { timeout: 900_000 },
  async () => {
    const stage = await aStage()
    const owners: Record<string, Person> = {}
    await runRaces(stage, races, rounds, async (name) => (owners[name] ??= await stage.aPerson()))
  },
)

async function aProjectToTransfer({ aProject, aMember }: Stage, owner: Person) {
  const project = await aProject(owner)
  const [receiver, admin] = [await aMember(project, ['admin']), await aMember(project, ['admin'])]
  return { project, receiver, admin }
}

async function anOfferedProject(stage: Stage, owner: Person) {
  const there = await aProjectToTransfer(stage, owner)
  await stage.store.ownershipOffers.put({
    subscriptionId: there.project as SubscriptionId,
    userId: there.receiver.uid,
    cardId: null,
    expiresAt: new Date(Date.now() + 3_600_000),
  })
  return there
}

function transfer(subscriptionId: string, owner: Person, receiver: Person) {
  return owner.ask('transferSubscriptionOwnership', { subscriptionId, newOwnerId: receiver.uid })
}

function invites(subscriptionId: string, host: Person, email: string) {
  return host.ask('createInvite', { subscriptionId, email, permissions: [] })
}

async function linkTo(subscriptionId: string, by: Person, wish: { uses?: number } = {}) {
  const made = await by.ask('createJoinLink', { subscriptionId, permissions: [], ...wish })
  return made.result!
}

/** The id of the only request, which the person makes. */
async function requestOf(person: Person, subscriptionId: string, admin: Person) {
  await person.ask('requestToJoin', { subscriptionId })
  const { result } = await admin.ask('listJoinRequests', { subscriptionId })
  return result!.requests[0]!.id
}

function edit(
  subscriptionId: string,
  editor: Person,
  { uid: userId }: Person,
  permissions: ('editor' | 'admin')[],
  was?: PermissionKey[],
) {
  const input = { subscriptionId, userId, permissions, ...(was && { was }) }
  return editor.ask('updateUserPermissions', input)
}

/** A new address in every round, because a mailbox takes only so many invitations a day. */
function addressFor(project: string, name = 'guest') {
  return `${name}-${project}@example.com`.toLowerCase()
}
