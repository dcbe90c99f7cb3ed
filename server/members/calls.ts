import type { PermissionKey } from '#config/permissions.ts'
import {
  adminPermissions,
  allPermissions,
  defaultPermission,
  findPlan,
  holds,
  makesAdmin,
  withDefault,
} from '#contract/access.ts'
import { record } from '../activity/record.ts'
import { tell } from '../core/notices.ts'
import type { CurrentUser, Handlers, Services } from '../core/services.ts'
import { refuseGrant } from '../core/token-grants.ts'
import { endJoinLinks, endTokensAndLinks } from '../tokens/ending.ts'
import { Refusal } from '../platform/refusal.ts'
import type { SentInvite } from '../store/invites.ts'
import type { SubscriptionForWrite } from '../store/shown-subscription.ts'

export const memberCalls = {
  async getSubscriptionUsers({ input, user, subscription: { id, plan_id } }, { store, now }) {
    const wish = { ...input, language: user.language, now: now() }
    const { taken, ...listed } = await store.members.listUsers(id, wish)
    return { ...listed, seats: { total: findPlan(plan_id)!.seats, ...taken } }
  },

  async updateUserPermissions({ input, subscription, user }, services) {
    const { userId, was } = input
    const { id: subscriptionId } = subscription
    const held = requireChangeable(subscription, userId)
    if (was && !isSame(withDefault(was), held))
      throw new Refusal('permissionsChanged', { permissions: held })
    const permissions = withDefault(input.permissions)
    refuseGrant(user, permissions, held)
    if (isSame(permissions, held)) return {}
    const { members, invites } = services.store
    const losesAdmin = makesAdmin(held) && !makesAdmin(permissions)
    const sent = losesAdmin ? await invites.lockOfHost({ hostId: userId, subscriptionId }) : []
    const entry = { by: user, to: { id: userId }, in: subscriptionId }
    const details = { from: held, to: permissions }
    await Promise.all([
      members.setPermissions({ subscriptionId, userId, permissions }),
      record('permissionsChanged', { ...entry, details }, services),
      tell({ id: userId }, 'roleChanged', { by: user, subscriptionId }, services),
      endOrKeep(sent, { by: user, keep: keepsInvites(input, user) }, services),
      losesAdmin && endJoinLinks(userId, services, subscriptionId),
      losesAdmin && services.store.ownershipOffers.remove({ subscriptionId, userId }),
    ])
    return {}
  },

  async removeUser({ input, subscription, user }, services) {
    const { userId } = input
    const { id: subscriptionId } = subscription
    requireChangeable(subscription, userId)
    const { store, now } = services
    // Who removes themselves has left.
    const barredAt = userId === user.uid ? null : now()
    const [sent] = await Promise.all([
      store.invites.lockOfHost({ hostId: userId, subscriptionId }),
      endTokensAndLinks(userId, services, subscriptionId),
    ])
    await Promise.all([
      store.members.remove({ subscriptionId, userId, barredAt }),
      record('memberRemoved', { by: user, to: { id: userId }, in: subscriptionId }, services),
      tell({ id: userId }, 'memberRemoved', { by: user, subscriptionId }, services),
      endOrKeep(sent, { by: user, keep: keepsInvites(input, user) }, services),
    ])
    return {}
  },

  async leaveSubscription({ subscription, user }, services) {
    const { id: subscriptionId } = subscription
    if (subscription.owner_id === user.uid) throw new Refusal('ownerCannotLeave')
    const { members, invites } = services.store
    const [sent] = await Promise.all([
      invites.lockOfHost({ hostId: user.uid, subscriptionId }),
      endTokensAndLinks(user.uid, services, subscriptionId),
    ])
    await Promise.all([
      members.remove({ subscriptionId, userId: user.uid }),
      record('memberLeft', { by: user, in: subscriptionId }, services),
      endOrKeep(sent, { by: user }, services),
    ])
    return {}
  },
} satisfies Partial<Handlers>

/** The permissions of a member. Nobody may change or remove the owner. */
function requireChangeable(subscription: SubscriptionForWrite, userId: string) {
  if (userId === subscription.owner_id) throw new Refusal('ownerUntouchable')
  if (!holds(subscription, userId, defaultPermission)) throw new Refusal('userNotFound')
  return allPermissions.filter((key) => holds(subscription, userId, key))
}

function isSame(one: PermissionKey[], other: PermissionKey[]) {
  return one.join() === other.join()
}

/** Nobody can keep invites who gives up the right to send some. They may make administrators. */
function keepsInvites(input: { userId: string; keepInvites?: true | undefined }, by: CurrentUser) {
  if (input.keepInvites) refuseGrant(by, adminPermissions)
  return input.keepInvites === true && input.userId !== by.uid
}

/** Revokes invites whose host may invite nobody any more, or makes the caller their host. */
async function endOrKeep(
  invites: SentInvite[],
  { by, keep = false }: { by: CurrentUser; keep?: boolean },
  services: Services,
) {
  const { store, now } = services
  const kind = keep ? 'inviteKept' : 'inviteRevoked'
  await Promise.all(
    invites.flatMap(({ id, email, subscriptionId }) => [
      keep
        ? store.invites.setHost({ id, hostId: by.uid })
        : store.invites.end({ id, status: 'revoked', now: now() }),
      record(kind, { by, to: email, in: subscriptionId }, services),
    ]),
  )
}
