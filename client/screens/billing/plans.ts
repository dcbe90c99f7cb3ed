import { plans, type Plan } from '#config/plans.ts'
import type { Subscription } from '#contract/entities.ts'
import { planWords } from '#contract/price-words.ts'
import { isSameInterval, nearestPrice, type Price } from '#contract/prices.ts'
import type { Translate } from '../../platform/i18n.ts'

/** A plan with the price that is paid for it; null if it is free. */
export type Offer = { plan: Plan; price: Price | null }

export const freePlan = plans.find((plan: Plan) => plan.free && !plan.legacy) as Plan | undefined

/** Whether both cost something, and not for the same interval. */
export function hasOtherInterval(from: Offer, to: Offer) {
  return from.price !== null && to.price !== null && !isSameInterval(from.price, to.price)
}

/** The names of two plans, with their intervals if these differ. */
export function namesOf(from: Offer, to: Offer, t: Translate) {
  const nameOf = ({ plan, price }: Offer) =>
    hasOtherInterval(from, to) ? planWords(t(plan.titleKey), price!, t) : t(plan.titleKey)
  return { from: nameOf(from), to: nameOf(to) }
}

/** What the project pays, which may differ from the present price of its plan. */
export function ownPrice({ price, currency }: Subscription, plan: Plan): Price {
  return price ?? nearestPrice(plan, null, currency)
}
