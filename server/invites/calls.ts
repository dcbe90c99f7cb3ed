import { limits } from '#config/limits.ts'
import { adminPermissions, isAdmin, withDefault } from '#contract/access.ts'
import { record } from '../activity/record.ts'
import { handle } from '../core/handle.ts'
import type { Services } from '../core/services.ts'
import { markEmailVerified } from '../identity/credentials.ts'
import { newId, newToken } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import { inviteFor, inviteOf, mailInvite, requireVerified } from './invites.ts'
import { seatsIn } from './seats.ts'

export const listInvites = handle('listInvites', async ({ user }, { store, now }) => ({
  invites: user.emailVerified ? await store.invites.listOpenFor(user.email, now()) : [],
}))

export const listSentInvites = handle('listSentInvites', async ({ user }, { store, now }) => {
  const sent = await store.invites.listOpenSentBy(user.uid, now())
  return {
    invites: sent
      .filter(({ held }) => !adminPermissions.some((key) => held.includes(key)))
      .map(({ invite }) => invite),
  }
})

/** What the mailed link leads to. Who holds it reads the invitee's mail: if they are signed in under that address, it is theirs. */
export const checkInvite = handle(
  'checkInvite',
  async ({ input: { code }, user, visit }, services) => {
    const invite = await services.rateLimits.limitFailures('codesByNetwork', visit.network, () =>
      findOpen(code, services),
    )
    if (user && !user.emailVerified && user.email === invite.email) {
      await markEmailVerified(user.uid, services)
      await services.store.providerLinks.markVerifiedOf(user.uid)
    }
    return { invite }
  },
)

async function findOpen(code: string, { store, now }: Services) {
  const invite = await store.invites.findByCode(code)
  if (!invite) throw new Refusal('inviteNotFound')
  if (invite.status !== 'pending') throw new Refusal('inviteNotPending', { status: invite.status })
  if (invite.expires * 1000 <= now().getTime()) throw new Refusal('inviteExpired')
  return invite
}

export const acceptInvite = handle(
  'acceptInvite',
  async ({ input: { inviteId }, user }, services) => {
    const { store, now } = services
    const { subscription_id: subscriptionId } = await inviteFor(user, inviteId, store)
    await store.subscriptions.lock(subscriptionId)
    const invite = await inviteFor(user, inviteId, store)
    if (invite.status !== 'pending') throw new Refusal('inviteNotPending')
    if (invite.expires * 1000 <= now().getTime()) throw new Refusal('inviteExpired')
    const subscription = await store.subscriptions.find(subscriptionId)
    if (!subscription) throw new Refusal('inviteNotFound')
    if (subscription.status !== 'active') throw new Refusal('subscriptionCanceled')
    if (await store.members.isMember(subscriptionId, user.email)) throw new Refusal('alreadyMember')
    // The invite holds a seat already; it is refused only when there are fewer seats than people by now.
    const { seats, taken } = await seatsIn(subscription.id, store, now())
    if (taken > seats) throw new Refusal('seatsFull', { seats })
    // A rejection waits for nobody, so it may have come in between.
    if (!(await store.invites.end(inviteId, 'accepted', now())))
      throw new Refusal('inviteNotPending')
    const permissions = withDefault(invite.permissions)
    await store.members.add({ subscriptionId, userId: user.uid, permissions, now: now() })
    await record(
      'memberJoined',
      { by: user, in: subscriptionId, details: { permissions } },
      services,
    )
    return {}
  },
)

export const rejectInvite = handle(
  'rejectInvite',
  async ({ input: { inviteId }, user }, services) => {
    const { store, now } = services
    const { email, subscription_id: subscriptionId } = await inviteFor(user, inviteId, store)
    if (!(await store.invites.end(inviteId, 'rejected', now())))
      throw new Refusal('inviteNotPending')
    await record('inviteRejected', { by: user, to: email, in: subscriptionId }, services)
    return {}
  },
)

export const createInvite = handle(
  'createInvite',
  async ({ input, user, subscription }, services) => {
    requireVerified(user)
    const { store, now } = services
    const { email, permissions, name = null } = input
    if (await store.members.isMember(subscription.id, email)) throw new Refusal('alreadyMember')
    await store.invites.revokeExpired(subscription.id, email, now())
    const [id, code, expiresAt] = [newId(), newToken(), after(now(), limits.invites.live)]
    const invited = await store.invites.add({
      id,
      code,
      subscriptionId: subscription.id,
      email,
      name,
      permissions: withDefault(permissions),
      hostId: user.uid,
      now: now(),
      expiresAt,
    })
    if (!invited) throw new Refusal('alreadyInvited')
    const { seats, taken } = await seatsIn(subscription.id, store, now())
    if (taken > seats) throw new Refusal('seatsFull', { seats })
    await record(
      'inviteSent',
      {
        by: user,
        to: email,
        in: subscription.id,
        details: { permissions: withDefault(permissions) },
      },
      services,
    )
    await mailInvite({ email, name, code, expiresAt }, { subscription, user }, services)
    return { inviteId: id }
  },
)

export const revokeInvite = handle(
  'revokeInvite',
  async ({ input: { inviteId }, subscription, user }, services) => {
    const { store, now } = services
    const mayRevoke =
      isAdmin(subscription, user.uid) || (await store.invites.isHost(inviteId, user.uid))
    if (!mayRevoke) throw new Refusal('adminOnly')
    const { email } = await inviteOf(subscription.id, inviteId, store)
    if (!(await store.invites.end(inviteId, 'revoked', now())))
      throw new Refusal('inviteNotPending')
    await record('inviteRevoked', { by: user, to: email, in: subscription.id }, services)
    return {}
  },
)

export const resendInvite = handle(
  'resendInvite',
  async ({ input: { inviteId }, subscription, user }, services) => {
    const { rateLimits, store, now } = services
    requireVerified(user)
    const invite = await inviteOf(subscription.id, inviteId, store)
    const [code, expiresAt] = [newToken(), after(now(), limits.invites.live)]
    if (!(await store.invites.renew(inviteId, code, expiresAt)))
      throw new Refusal('inviteNotPending')
    // One that had expired takes its seat again.
    const { seats, taken } = await seatsIn(subscription.id, store, now())
    if (taken > seats) throw new Refusal('seatsFull', { seats })
    await record('inviteResent', { by: user, to: invite.email, in: subscription.id }, services)
    const mail = () => mailInvite({ ...invite, code, expiresAt }, { subscription, user }, services)
    await rateLimits.limitSuccesses('resendsByInvite', inviteId, mail)
    return {}
  },
)
