import { findPlan } from '#contract/access.ts'
import type { Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'

/**
 * The seats of a subscription, and how many of them members and open invites take. During a change
 * of plan it has the seats of the smaller plan. Call it with the subscription's row locked.
 */
export async function seatsIn(subscriptionId: string, store: Services['store'], now: Date) {
  const { planId, nextPlanId } = (await store.billing.find(subscriptionId))!
  const members = await store.members.count(subscriptionId)
  const invited = await store.invites.countOpen(subscriptionId, now)
  const seats = Math.min(...[planId, nextPlanId ?? planId].map((id) => findPlan(id)!.seats))
  return { seats, taken: members + invited }
}

/** Refuses a change that has taken more seats than there are. */
export async function requireSeats(subscriptionId: string, { store, now }: Services) {
  const { seats, taken } = await seatsIn(subscriptionId, store, now())
  if (taken > seats) throw new Refusal('seatsFull', { seats })
}
