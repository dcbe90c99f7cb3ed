import { permissions, type Permission, type PermissionKey } from '#config/permissions.ts'
import { plans, type Plan } from '#config/plans.ts'
import type { CoreReason } from './core-refusals.ts'
import type { Subscription } from './entities.ts'
import type { Needs, NeedsPermission } from './rows.ts'

type Access = { needs: Needs; onlyActive?: true | 'evenLookOnly'; evenWithoutFactor?: true }
type OfSubscription = Pick<
  Subscription,
  'owner_id' | 'status' | 'permissions' | 'look_only' | 'second_factor_from'
>
/** When the caller's session passed a second step, if it did, and what time it is. */
export type Passing = { secondStepAt: Date | null; now: Date }

export const permissionEntries = Object.entries(permissions) as [PermissionKey, Permission][]
export const allPermissions = permissionEntries.map(([key]) => key)
export const defaultPermission = allPermissions.find((key) => permissions[key].default)!
export const adminPermissions = allPermissions.filter((key) => permissions[key].admin)
/** Permissions that an owner always holds. */
export const ownerPermissions = allPermissions.filter(
  (key) => permissions[key].default || permissions[key].admin,
)

/**
 * The reason why this user may not make the call, or undefined if they may. Without `passing`, the
 * session is not judged: the app has no project that is shut to it.
 */
export function whyNot(
  call: Access,
  uid: string | undefined,
  subscription?: OfSubscription,
  passing?: Passing,
): CoreReason | undefined {
  if (call.needs === 'anyone') return undefined
  if (!uid) return 'notSignedIn'
  if (call.needs === 'signedIn') return undefined
  if (!subscription) return 'subscriptionNotFound'
  // This answer reveals that the subscription exists: see docs/decisions/011-access-denied.md.
  if (!holds(subscription, uid, defaultPermission)) return 'accessDenied'
  if (passing && !call.evenWithoutFactor && isShut(subscription, passing)) return 'factorRequired'
  if (call.needs === 'owner' && subscription.owner_id !== uid) return 'ownerOnly'
  if (call.needs === 'admin' && !isAdmin(subscription, uid)) return 'adminOnly'
  if (typeof call.needs === 'object' && !fulfils(call.needs, uid, subscription))
    return 'permissionRequired'
  if (call.onlyActive && subscription.status !== 'active') return 'subscriptionCanceled'
  if (call.onlyActive === true && subscription.look_only) return 'lookOnly'
  return undefined
}

/** Whether the owner asks for a second step by now that the session has not passed. */
export function isShut(
  { second_factor_from: from }: Pick<OfSubscription, 'second_factor_from'>,
  { secondStepAt, now }: Passing,
) {
  return from !== null && from * 1000 <= now.getTime() && secondStepAt === null
}

function fulfils(needs: NeedsPermission, uid: string, subscription: OfSubscription) {
  if (isInvalid(needs)) return false
  const permits = (key: PermissionKey) => may(subscription, uid, key)
  return needs.all ? needs.permissions.every(permits) : needs.permissions.some(permits)
}

/** Whether the needs name no permission, or one that is not configured: the compiler sees no cast. */
export function isInvalid({ permissions: keys }: NeedsPermission) {
  return keys.length < 1 || keys.some((key) => !Object.hasOwn(permissions, key))
}

/** Whether the user may do what the permission is for. The owner always may. */
export function may(subscription: OfSubscription, uid: string, key: PermissionKey) {
  return subscription.owner_id === uid || holds(subscription, uid, key)
}

export function isAdmin(subscription: Pick<OfSubscription, 'permissions'>, uid: string) {
  return adminPermissions.some((key) => holds(subscription, uid, key))
}

export function makesAdmin(keys: readonly PermissionKey[]) {
  return adminPermissions.some((key) => keys.includes(key))
}

/** Whether somebody gave the user the permission, as lists show it. For rights, ask `may`. */
export function holds(
  { permissions: held }: Pick<OfSubscription, 'permissions'>,
  uid: string,
  key: PermissionKey,
) {
  return held[key]?.includes(uid) ?? false
}

/** The keys as the store keeps them: in the configured order, and with the default permission. */
export function withDefault(keys: readonly PermissionKey[]) {
  return allPermissions.filter((key) => key === defaultPermission || keys.includes(key))
}

/**
 * The keys that say who somebody is: the one that every member holds only if it is the only one. See
 * docs/decisions/017-where-we-differ.md.
 */
export function tellingPermissions(keys: readonly PermissionKey[]) {
  const others = withDefault(keys).filter((key) => key !== defaultPermission)
  return others.length > 0 ? others : [defaultPermission]
}

export function findPlan(id: string): Plan | undefined {
  return plans.find((plan) => plan.id === id)
}
