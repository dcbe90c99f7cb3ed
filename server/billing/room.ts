import type { PlanId } from '#config/plans.ts'
import type { Services } from '../core/services.ts'
import { isRefusal } from '../platform/refusal.ts'
import type { BillingRow } from '../store/billing.ts'
import { known, requirePlan, requireRoomIn } from './plans.ts'

const soldFree = known.find(({ free, legacy }) => free && !legacy)

/** Whether there is room in a plan for what the project has. */
export async function hasRoomIn(row: BillingRow, planId: PlanId, services: Services) {
  try {
    await requireRoomIn(row, requirePlan(planId), services)
    return true
  } catch (error) {
    if (isRefusal(error, 'tooManyMembers', 'planTooSmall', 'tooManyProjects', 'planNotAvailable'))
      return false
    throw error
  }
}

/** The free plan that is sold, if the project fits into it. */
export async function findFreeFit(row: BillingRow, services: Services) {
  return soldFree && (await hasRoomIn(row, soldFree.id, services)) ? soldFree : undefined
}
