import type { PermissionKey } from '#config/permissions.ts'
import {
  allPermissions,
  defaultPermission,
  findPlan,
  holds,
  withDefault,
} from '#contract/access.ts'
import { record } from '../activity/record.ts'
import type { Handlers } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { SubscriptionForWrite } from '../store/shown-subscription.ts'

export const memberCalls = {
  async getSubscriptionUsers({ input, subscription: { id, plan_id } }, { store, now }) {
    const { taken, ...listed } = await store.members.listUsers(id, { ...input, now: now() })
    return { ...listed, seats: { total: findPlan(plan_id)!.seats, ...taken } }
  },

  async updateUserPermissions({ input, subscription, user }, services) {
    const { userId, was } = input
    const { id: subscriptionId } = subscription
    const held = requireChangeable(subscription, userId)
    if (was && !isSame(withDefault(was), held))
      throw new Refusal('permissionsChanged', { permissions: held })
    const permissions = withDefault(input.permissions)
    if (isSame(permissions, held)) return {}
    await services.store.members.setPermissions({ subscriptionId, userId, permissions })
    const entry = { by: user, to: { id: userId }, in: subscriptionId }
    const details = { from: held, to: permissions }
    await record('permissionsChanged', { ...entry, details }, services)
    return {}
  },

  async removeUser({ input, subscription, user }, services) {
    const { userId } = input
    requireChangeable(subscription, userId)
    await services.store.members.remove({ subscriptionId: subscription.id, userId })
    await record('memberRemoved', { by: user, to: { id: userId }, in: subscription.id }, services)
    return {}
  },

  async leaveSubscription({ subscription, user }, services) {
    if (subscription.owner_id === user.uid) throw new Refusal('ownerCannotLeave')
    await services.store.members.remove({ subscriptionId: subscription.id, userId: user.uid })
    await record('memberLeft', { by: user, in: subscription.id }, services)
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
