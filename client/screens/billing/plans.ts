import { plans, type Plan } from '#config/plans.ts'
import type { Subscription } from '#contract/entities.ts'
import { formatMoney } from '#contract/money.ts'

export const freePlan = plans.find((plan: Plan) => plan.free && !plan.legacy) as Plan | undefined

/** What the project pays per week, which may differ from the present price of its plan. */
export function weeklyPrice({ weekly, currency }: Subscription, plan: Plan) {
  return formatMoney(weekly ?? plan.price * 100, currency ?? plan.currencyCode)
}

/** Whether a new project would pay another price for the plan than this project does. */
export function isOtherPrice({ weekly, currency }: Subscription, { price, currencyCode }: Plan) {
  return weekly !== null && (weekly !== price * 100 || currency !== currencyCode)
}
