import { allPermissions, holds } from '#contract/access.ts'
import type { Subscription } from '#contract/entities.ts'

/** The permissions of a member. */
export function heldBy(subscription: Subscription, uid: string) {
  return allPermissions.filter((key) => holds(subscription, uid, key))
}
