import { findPlan } from '#contract/access.ts'
import { requireRoomForFree } from './free-projects.ts'
import { Refusal } from '../platform/refusal.ts'
import { seatsIn } from '../invites/seats.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'
import { offeredPlan } from './offered-plan.ts'

/** The plan that a project may change to, or why it may not. Meant to be asked while the project's row and its owner are locked. */
export async function plannedChange(row: BillingRow, planId: string, { store, now }: Services) {
  const plan = offeredPlan(planId)
  // It may have turned out only just now that it has ended.
  if (row.status !== 'active') throw new Refusal('subscriptionCanceled')
  if (row.planId === plan.id) throw new Refusal('samePlan')
  if (row.payment !== 'ok') throw new Refusal('planChangeNotPaid')
  if (plan.free) await requireRoomForFree(row.ownerId!, row.id, { store })
  const { taken } = await seatsIn(row.id, store, now())
  if (taken <= plan.seats) return plan
  const [members, invited] = await Promise.all([
    store.members.listNames(row.id),
    store.invites.listOpen(row.id, now()),
  ])
  throw new Refusal('tooManyMembers', { seats: plan.seats, taken, members, invited })
}

export function isFree(planId: string) {
  return findPlan(planId)!.free
}
