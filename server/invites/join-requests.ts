import { limits } from '#config/limits.ts'
import { adminPermissions, isAdmin } from '#contract/access.ts'
import { calls } from '#contract/calls.ts'
import { record } from '../activity/record.ts'
import { tell } from '../core/notices.ts'
import { requireAccess } from '../core/require-access.ts'
import type { Handlers } from '../core/services.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import { admit, holdAccount, requireClaimed, requireVerified } from './joining.ts'

export const joinRequestCalls = {
  /** Each one counts, so that the limit tells nothing either. */
  async requestToJoin({ input: { subscriptionId }, user }, services) {
    requireClaimed(user)
    const { store, successLimits, now } = services
    const asking = { subscriptionId, userId: user.uid, now: now() }
    const [, coming] = await Promise.all([
      holdAccount(user.uid, services),
      store.invites.findComing(asking),
      successLimits.consume(['joinRequestsByAccount', user.uid]),
    ])
    if (!coming || coming.isMember || coming.invitedAs) return {}
    const declinedBefore = after(now(), -limits.joining.declined)
    if (!(await store.joinRequests.add({ ...asking, id: newId(), declinedBefore }))) return {}
    const admins = await store.users.listHolders(subscriptionId, adminPermissions)
    await Promise.all(
      admins.map(({ id }) => tell({ id }, 'joinRequested', { by: user, subscriptionId }, services)),
    )
    return {}
  },

  async listJoinRequests({ subscription: { id } }, { store }) {
    return { requests: await store.joinRequests.listOpen(id, limits.joining.listed) }
  },

  async decideJoinRequest({ input: { requestId: id, permissions }, user }, services) {
    const { store, now } = services
    const found = await store.joinRequests.findOpen(id)
    if (!found) throw new Refusal('joinRequestNotFound')
    const { subscriptionId, userId, displayName } = found
    const of = { id: subscriptionId, userId: user.uid, otherId: undefined }
    const [, isThere, isOpen, subscription, coming] = await Promise.all([
      store.subscriptions.lock({ id: subscriptionId }),
      store.users.hold(userId),
      store.joinRequests.findOpen(id),
      store.subscriptions.findForWrite(of),
      store.invites.findComing({ subscriptionId, userId, now: now() }),
    ])
    if (!isThere || !isOpen || !subscription || !isAdmin(subscription, user.uid))
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
      tell({ id: userId }, 'joinAccepted', { by: user, subscriptionId }, services),
    ])
    return {}
  },
} satisfies Partial<Handlers>
