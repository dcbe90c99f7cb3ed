import { plans, type Plan, type PlanId } from '#config/plans.ts'
import { findPlan } from '#contract/access.ts'
import { Refusal } from '../platform/refusal.ts'

export type KnownPlan = Plan & { id: PlanId }

/** A plan that a project can be given now. */
export function offeredPlan(id: string) {
  const plan = findPlan(id)
  if (!plan) throw new Refusal('planNotFound')
  if (plan.legacy) throw new Refusal('planNotAvailable')
  return plan as KnownPlan
}

/** The plan that a price of the provider's means. */
export function planOfPrice(priceId: string) {
  return (plans as readonly Plan[]).find(({ priceIds }) => priceIds.includes(priceId)) as
    | KnownPlan
    | undefined
}
