import type { Plan } from '#config/plans.ts'
import type { Subscription } from '#contract/entities.ts'
import { formatMoney } from '#contract/money.ts'

/** What a week costs this project. Its plan may have another price by now. */
export function weeklyPrice(
  { weekly, currency }: Pick<Subscription, 'weekly' | 'currency'>,
  plan: Plan,
) {
  return formatMoney(weekly ?? plan.price * 100, currency ?? plan.currencyCode)
}

/** Whether new projects pay another price for the plan. */
export function isOtherPrice(
  { weekly, currency }: Pick<Subscription, 'weekly' | 'currency'>,
  { price, currencyCode }: Plan,
) {
  return weekly !== null && (weekly !== price * 100 || currency !== currencyCode)
}
