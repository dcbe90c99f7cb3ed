import { plans, type Plan } from '#config/plans.ts'
import type { Subscription } from '#contract/entities.ts'
import { nearestPrice, type Price } from '#contract/prices.ts'

export const freePlan = plans.find((plan: Plan) => plan.free && !plan.legacy) as Plan | undefined

/** What the project pays, which may differ from the present price of its plan. */
export function ownPrice({ price, currency }: Subscription, plan: Plan): Price {
  return price ?? nearestPrice(plan, null, currency)
}
