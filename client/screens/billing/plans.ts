import { plans, type Plan } from '#config/plans.ts'
import type { Subscription } from '#contract/entities.ts'
import { formatMoney } from '#contract/money.ts'

/** The plan that costs nothing, if there is one. */
export const freePlan = plans.find((plan: Plan) => plan.free && !plan.legacy) as Plan | undefined

/** What a week costs this project. The price of its plan may have changed since. */
export function weeklyPrice({ weekly, currency }: Subscription, plan: Plan) {
  return formatMoney(weekly ?? plan.price * 100, currency ?? plan.currencyCode)
}

/** Whether a new project pays another price for the plan. */
export function isOtherPrice({ weekly, currency }: Subscription, { price, currencyCode }: Plan) {
  return weekly !== null && (weekly !== price * 100 || currency !== currencyCode)
}
