import { person, record } from '../activity/activity.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'

export const leaveSubscription = handle(
  'leaveSubscription',
  async ({ subscription, user }, services) => {
    if (subscription.owner_id === user.uid) throw new Refusal('ownerCannotLeave')
    await services.store.members.remove(subscription.id, user.uid)
    await record('memberLeft', { by: person(user), in: subscription.id }, services)
    return {}
  },
)
