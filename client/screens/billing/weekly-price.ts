import type { Plan } from '#config/plans.ts'
import type { Subscription } from '#contract/entities.ts'
import { formatMoney } from '#contract/money.ts'

/** What a week costs this project. The price of its plan may have changed since. */
export function weeklyPrice(
  { weekly, currency }: Pick<Subscription, 'weekly' | 'currency'>,
  plan: Plan,
) {
  return formatMoney(weekly ?? plan.price * 100, currency ?? plan.currencyCode)
}

/** Whether a new project pays another price for the plan. */
export function isOtherPrice(
  { weekly, currency }: Pick<Subscription, 'weekly' | 'currency'>,
  { price, currencyCode }: Plan,
) {
  return weekly !== null && (weekly !== price * 100 || currency !== currencyCode)
}
