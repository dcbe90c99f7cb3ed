import { limits } from '#config/limits.ts'
import { adminPermissions, isAdmin } from '#contract/access.ts'
import { calls } from '#contract/calls.ts'
import { record } from '../activity/record.ts'
import { mailNotice } from '../core/notices.ts'
import { requireAccess } from '../core/require-access.ts'
import type { Handlers } from '../core/services.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import { admit, requireClaimed, requireVerified } from './joining.ts'

export const joinRequestCalls = {
  /** Each one counts, so that the limit tells nothing either. */
  async requestToJoin({ input: { subscriptionId }, user }, services) {
    requireClaimed(user)
    const { store, successLimits, now } = services
    await successLimits.consume(['joinRequestsByAccount', user.uid])
    const declinedBefore = after(now(), -limits.joining.declined)
    const request = { id: newId(), subscriptionId, userId: user.uid, now: now(), declinedBefore }
    if (!(await store.joinRequests.add(request))) return {}
    const admins = await store.users.listHolders(subscriptionId, adminPermissions)
    await Promise.all(
      admins.map(({ id: to }) =>
        mailNotice('joinRequested', { to, by: user, in: subscriptionId }, services),
      ),
    )
    return {}
  },

  async listJoinRequests({ subscription: { id } }, { store }) {
    return { requests: await store.joinRequests.listOpen(id, limits.joining.listed) }
  },

  async decideJoinRequest({ input: { requestId: id, permissions }, user }, services) {
    const { store, now } = services
    const [, request] = await Promise.all([
      store.joinRequests.lockSubscription(id),
      store.joinRequests.findOpen(id),
    ])
    if (!request) throw new Refusal('joinRequestNotFound')
    const { subscriptionId, userId, displayName } = request
    const of = { id: subscriptionId, userId: user.uid, otherId: undefined }
    const [isThere, subscription, coming] = await Promise.all([
      store.users.hold(userId),
      store.subscriptions.findForWrite(of),
      store.invites.findComing({ subscriptionId, userId, now: now() }),
    ])
    if (!subscription || !isThere || !isAdmin(subscription, user.uid))
      throw new Refusal('joinRequestNotFound')
    requireAccess(
      calls[permissions ? 'createInvite' : 'revokeInvite'],
      user,
      subscription,
      services,
    )
    const entry = { by: user, in: subscriptionId }
    if (permissions === null) {
      await Promise.all([
        store.joinRequests.decline({ id, now: now() }),
        // It names nobody: those it names see it in their own activity.
        record('joinRequestDeclined', entry, services),
      ])
      return {}
    }
    requireVerified(user)
    const by = { id: userId, displayName }
    await admit(coming!, { by, in: subscriptionId, permissions, way: 'request' }, services)
    await Promise.all([
      record('joinRequestAccepted', { ...entry, to: by }, services),
      mailNotice('joinAccepted', { ...entry, to: userId }, services),
    ])
    return {}
  },
} satisfies Partial<Handlers>
