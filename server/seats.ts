import { findPlan } from '#contract/access.ts'
import type { Subscription } from '#contract/entities.ts'
import type { Store } from './store/store.ts'

/** Seats the plan gives, and those taken by members and open invites. Meant to be asked while the project's row is locked. */
export async function seatsIn(subscription: Pick<Subscription, 'id' | 'plan_id'>, store: Store, now: Date) {
  const members = await store.members.count(subscription.id)
  const invited = await store.invites.countOpen(subscription.id, now)
  return { seats: findPlan(subscription.plan_id)!.seats, taken: members + invited }
}
