import { holds, isAdmin, ownerPermissions, permissionEntries } from '#contract/access.ts'
import { findPerson, person, record } from '../../activity.ts'
import { isFree } from '../../billing/plan-change.ts'
import { requireRoomForFree } from '../../free-projects.ts'
import { handle } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'

export const transferSubscriptionOwnership = handle(
  'transferSubscriptionOwnership',
  async ({ input: { newOwnerId }, subscription, user }, services) => {
    const { store, jobs } = services
    const { id, owner_id: ownerId } = subscription
    if (newOwnerId === ownerId || !isAdmin(subscription, newOwnerId)) throw new Refusal('notEligibleOwner')
    if (!(await store.subscriptions.lockOwner(newOwnerId))) throw new Refusal('notEligibleOwner')
    if (isFree(subscription.plan_id)) await requireRoomForFree(newOwnerId, id, services)
    const permissions = permissionEntries
      .map(([key]) => key)
      .filter((key) => ownerPermissions.includes(key) || holds(subscription, newOwnerId, key))
    await store.subscriptions.setOwner(id, newOwnerId)
    await store.members.setPermissions({ subscriptionId: id, userId: newOwnerId, permissions })
    await record('ownershipTransferred', { by: person(user), to: await findPerson(newOwnerId, services), in: id }, services)
    await jobs.add('followOwner', { subscriptionId: id })
    await jobs.add('tellOfTransfer', { subscriptionId: id, from: user.uid, to: newOwnerId })
    return {}
  },
)
