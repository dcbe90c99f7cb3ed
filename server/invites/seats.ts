import { findPlan } from '#contract/access.ts'
import type { Store } from '../store/store.ts'

/**
 * Seats there are, and those taken by members and open invites. While a change of plan is under way there are only as many as both
 * plans have. Meant to be asked while the project's row is locked.
 */
export async function seatsIn(subscriptionId: string, store: Store, now: Date) {
  const { planId, nextPlanId } = (await store.billing.find(subscriptionId))!
  const members = await store.members.count(subscriptionId)
  const invited = await store.invites.countOpen(subscriptionId, now)
  const seats = Math.min(...[planId, nextPlanId ?? planId].map((id) => findPlan(id)!.seats))
  return { seats, taken: members + invited }
}
