import { limits, rateLimits } from '#config/limits.ts'
import type { PermissionKey } from '#config/permissions.ts'
import { isShut, withDefault } from '#contract/access.ts'
import { projectName } from '#contract/project-name.ts'
import { record } from '../activity/record.ts'
import { mailboxKey, triesOfMail } from '../core/mailboxes.ts'
import { tell } from '../core/notices.ts'
import { limitReached } from '../core/rate-limits.ts'
import type { CurrentUser, Handlers, Services } from '../core/services.ts'
import { refuseGrant } from '../core/token-grants.ts'
import { undoing } from '../identity/action-codes.ts'
import { claimByInvite, requireOpenInvite } from '../identity/invite-codes.ts'
import { newId, newToken } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import type { SubscriptionForWrite } from '../store/shown-subscription.ts'
import { holdAccount, requireClaimed, requireSeats, requireVerified } from './joining.ts'

export const inviteCalls = {
  /** Somebody who signed up with another's address learns neither who invites nor to what. */
  async listInvites({ user }, { store, now }) {
    const invites = await store.invites.listOpenFor(user.email, now())
    if (user.claimed) return { invites }
    return { invites: [], ...(invites.length > 0 && { waiting: true }) }
  },

  async listSentInvites({ user }, { store, now }) {
    const passing = { secondStepAt: user.session.secondStepAt, now: now() }
    const sent = await store.invites.listOpenSentBy(user.uid, now())
    return { invites: sent.filter((invite) => !isShut(invite, passing)) }
  },

  /** A mailed link claims the caller's account if it was mailed to its address. A copied one doesn't. */
  async checkInvite({ input, user, visit }, services) {
    if (user && !user.claimed) await claimByInvite(input.code, user, services)
    const opened = await requireOpenInvite(input.code, visit, services)
    return { ...opened, hasAccount: opened.isMailed && opened.hasAccount }
  },

  async acceptInvite({ input, user }, services) {
    const { store, now } = services
    const { inviteId } = input
    requireClaimed(user)
    const [, , invite, joining] = await Promise.all([
      store.invites.lockSubscription({ id: inviteId, email: user.email }),
      // Before the invite, because the deletion of an account locks the user first.
      holdAccount(user.uid, services),
      requireOwnInvite(user, inviteId, services),
      store.invites.findJoining({ inviteId, userId: user.uid, now: now() }),
    ])
    const { subscriptionId, permissions: given } = invite
    if (invite.status !== 'pending')
      throw new Refusal('inviteNotPending', { status: invite.status })
    if (invite.expiresAt <= now()) throw new Refusal('inviteExpired')
    if (!joining) throw new Refusal('inviteNotFound')
    if (joining.status !== 'active') throw new Refusal('subscriptionCanceled')
    if (joining.lookOnly) throw new Refusal('lookOnly', joining.lookOnly)
    if (joining.isMember) throw new Refusal('alreadyMember')
    // The open invite holds a seat already, so this refuses only if the plan now has fewer seats.
    requireSeats(joining)
    const permissions = withDefault(given)
    const joined = { by: user, in: subscriptionId }
    const { hostId } = invite
    await Promise.all([
      store.invites.end({ id: inviteId, status: 'accepted', now: now() }),
      store.members.add({ subscriptionId, userId: user.uid, permissions, now: now() }),
      record('memberJoined', { ...joined, details: { permissions } }, services),
      hostId !== null &&
        tell({ id: hostId }, 'invitationAccepted', { by: user, subscriptionId }, services),
    ])
    return {}
  },

  async rejectInvite({ input, user }, services) {
    const { store, now } = services
    const invite = await requireOwnInvite(user, input.inviteId, services)
    const { id, email: to, subscriptionId } = invite
    if (invite.status !== 'pending') throw new Refusal('inviteNotPending')
    await Promise.all([
      store.invites.end({ id, status: 'rejected', now: now() }),
      record('inviteRejected', { by: user, to, in: subscriptionId }, services),
    ])
    return {}
  },

  async createInvite({ input, user, subscription }, services) {
    requireVerified(user)
    refuseGrant(user, input.permissions)
    const { store, now } = services
    const { email, name = null } = input
    const { id: subscriptionId } = subscription
    const [, invitee] = await Promise.all([
      store.invites.lockAddress({ email, hostId: user.uid }),
      findInvitee({ subscriptionId, email, user }, services),
    ])
    const permissions = withDefault(input.permissions)
    if (invitee.isMember) throw new Refusal('alreadyMember')
    if (invitee.hasMoved) throw new Refusal('inviteeMoved')
    if (invitee.hasExpired === false) throw new Refusal('alreadyInvited')
    requireSeats(invitee, { more: 1 })
    const expiresAt = after(now(), limits.invites.live)
    const sent = { email, name, code: newToken(), permissions, expiresAt }
    const row = { id: newId(), subscriptionId, hostId: user.uid }
    const entry = { by: user, to: email, in: subscriptionId, details: { permissions } }
    const [refusal] = await Promise.all([
      mailInvite(sent, { subscription, user, invitee }, services),
      invitee.hasExpired && store.invites.revokeExpired({ subscriptionId, email, now: now() }),
      invitee.userId !== null &&
        store.joinRequests.removeOf({ subscriptionId, userId: invitee.userId }),
      store.invites.add({ ...sent, ...row, now: now() }),
      record('inviteSent', entry, services),
    ])
    return { inviteId: row.id, ...(refusal && { mailed: false }) }
  },

  async revokeInvite({ input, subscription, user }, services) {
    const { store, now } = services
    const { inviteId: id } = input
    const invite = await store.invites.lockRow(id)
    if (invite?.subscriptionId !== subscription.id) throw new Refusal('inviteNotFound')
    if (invite.status !== 'pending') throw new Refusal('inviteNotPending')
    await Promise.all([
      store.invites.end({ id, status: 'revoked', now: now() }),
      record('inviteRevoked', { by: user, to: invite.email, in: subscription.id }, services),
    ])
    return {}
  },

  async resendInvite({ input, subscription, user }, services) {
    const { successLimits, store, now } = services
    const { inviteId } = input
    const { id: subscriptionId } = subscription
    requireVerified(user)
    const invite = await store.invites.lockRow(inviteId)
    if (invite?.subscriptionId !== subscriptionId) throw new Refusal('inviteNotFound')
    if (invite.status !== 'pending') throw new Refusal('inviteNotPending')
    refuseGrant(user, invite.permissions)
    const [code, expiresAt] = [newToken(), after(now(), limits.invites.live)]
    const { email, name, permissions } = invite
    const [, invitee] = await Promise.all([
      store.invites.renew(inviteId, code, expiresAt),
      findInvitee({ subscriptionId, email, user }, services),
    ])
    // The renewed invite holds a seat, even if it had expired.
    requireSeats(invitee)
    await successLimits.consume(['resendsByInvite', inviteId])
    const sent = { email, name, code, permissions, expiresAt }
    const [refusal] = await Promise.all([
      mailInvite(sent, { subscription, user, invitee }, services),
      record('inviteResent', { by: user, to: email, in: subscriptionId }, services),
    ])
    if (refusal) throw refusal
    return {}
  },

  async createInviteLink({ input, subscription, user }, services) {
    const { store, now } = services
    requireVerified(user)
    const invite = await store.invites.lockRow(input.inviteId)
    if (invite?.subscriptionId !== subscription.id) throw new Refusal('inviteNotFound')
    if (invite.status !== 'pending') throw new Refusal('inviteNotPending')
    if (invite.expiresAt <= now()) throw new Refusal('inviteExpired')
    const code = newToken()
    const entry = { by: user, to: invite.email, in: subscription.id }
    await Promise.all([
      store.invites.setLink(input.inviteId, code),
      record('inviteLinkCreated', entry, services),
    ])
    return { code }
  },
} satisfies Partial<Handlers>

/** The invite, if it was sent to the user's address and they have verified that it is theirs. */
async function requireOwnInvite(user: CurrentUser, inviteId: string, { store }: Services) {
  requireClaimed(user)
  const invite = await store.invites.lockRow(inviteId)
  if (invite?.email !== user.email) throw new Refusal('inviteNotFound')
  return invite
}

type About = { subscriptionId: string; email: string; user: CurrentUser }
type Invitee = Awaited<ReturnType<typeof findInvitee>>

async function findInvitee({ subscriptionId, email, user }: About, services: Services) {
  const { store, now } = services
  return store.invites.findInvitee({
    subscriptionId,
    email,
    mailbox: mailboxKey(email, services),
    hostId: user.uid,
    undoing,
    now: now(),
  })
}

type Sent = {
  email: string
  name: string | null
  code: string
  permissions: PermissionKey[]
  expiresAt: Date
}
type By = { subscription: SubscriptionForWrite; user: CurrentUser; invitee: Invitee }

/** Mails the link, or returns why not. A mail to an acquaintance counts only for the sender. */
async function mailInvite(sent: Sent, { subscription, user, invitee }: By, services: Services) {
  const { successLimits, jobs } = services
  const { email, name, code, permissions, expiresAt } = sent
  const [bySender, toMailbox] = triesOfMail(email, user.uid, services)
  const tries = invitee.isKnown ? [bySender] : [bySender, toMailbox]
  const refusal = await limitReached(
    successLimits.consume(['invitesByAccount', user.uid], ...tries),
  )
  if (refusal?.limit === 'invitesByAccount') throw refusal
  // A mailbox that had too many mails today looks the same as one that wants no invitations.
  const retryAfter = rateLimits.mailsToMailbox.within / 1000
  if (refusal ?? invitee.wantsNone)
    return new Refusal('inviteeBusy', { retryAfter }, refusal?.limit)
  await jobs.add('sendMail', {
    mail: 'invitation',
    to: email,
    language: invitee.language ?? user.language,
    values: {
      name: name ?? invitee.displayName,
      code,
      host: user.displayName,
      project: projectName(subscription.settings),
      permissions,
      expires: expiresAt.toISOString(),
    },
    ...(invitee.isStranger && { stop: { mailbox: mailboxKey(email, services) } }),
  })
  return undefined
}
