import { isSoldInOneWay } from '#contract/price-choice.ts'
import type { Price } from '#contract/prices.ts'

/** Adds to a path the plan, if there is one, and what a query says of how it is bought. */
export function withChoice(path: string, query: URLSearchParams, planId?: string) {
  const chosen = [...query].filter(([name]) => isOfPurchase.has(name))
  const next = new URLSearchParams([...(planId ? [['plan', planId]] : []), ...chosen])
  return next.size > 0 ? `${path}?${next}` : path
}

/** `again` is the id of a canceled project that the new one replaces. */
const isOfPurchase: ReadonlySet<string> = new Set(['interval', 'currency', 'code', 'again'])

/** How calls name a price, which they need only if there is a choice. */
export function wishFor({ frequency, every, currency }: Price) {
  return isSoldInOneWay() ? {} : { price: { frequency, every, currency } }
}
