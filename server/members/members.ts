import { defaultPermission, holds, permissionEntries } from '#contract/access.ts'
import type { Subscription } from '#contract/entities.ts'
import { Refusal } from '../platform/refusal.ts'

/** What a member holds, if an administrator may change it or remove them: anybody but the owner. */
export function memberToChange(subscription: Subscription, userId: string) {
  if (userId === subscription.owner_id) throw new Refusal('ownerUntouchable')
  if (!holds(subscription, userId, defaultPermission)) throw new Refusal('userNotFound')
  return permissionEntries.map(([key]) => key).filter((key) => holds(subscription, userId, key))
}
