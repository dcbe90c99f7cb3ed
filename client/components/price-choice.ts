import { currencyOfLanguages } from '#contract/currency-of-country.ts'
import type { Subscription } from '#contract/entities.ts'
import type { Interval } from '#contract/plan.ts'
import {
  isSameInterval,
  soldCurrencies,
  soldIntervals,
  usualInterval,
  type Price,
} from '#contract/prices.ts'

/** What a project pays now. Its currency stays. */
export type Payer = Pick<Subscription, 'price' | 'currency'>

/** The interval and the currency that the URL asks for, or else the project, or the browser. */
export function choiceOf(query: URLSearchParams, payer?: Payer) {
  const currency =
    payer?.currency ??
    soldCurrencies.find((code) => code === query.get('currency')) ??
    currencyOfLanguages(navigator.languages, soldCurrencies)
  const intervals = soldIntervals(currency)
  const usual = payer?.price ?? usualInterval
  const interval =
    intervals.find((one) => keyOf(one) === query.get('interval')) ??
    intervals.find((one) => usual && isSameInterval(one, usual)) ??
    intervals[0]
  return { interval, currency, intervals }
}

/** `year` or `3-month`, as URLs have an interval. */
export function keyOf({ frequency, every }: Interval) {
  return every === 1 ? frequency : `${every}-${frequency}`
}

/** Adds to a path the plan, if there is one, and what a query says of how it is bought. */
export function withChoice(path: string, query: URLSearchParams, planId?: string) {
  const chosen = [...query].filter(([name]) => isOfPurchase.has(name))
  const next = new URLSearchParams([...(planId ? [['plan', planId]] : []), ...chosen])
  return next.size > 0 ? `${path}?${next}` : path
}

/** `again` is the id of a canceled project that the new one replaces. */
const isOfPurchase: ReadonlySet<string> = new Set(['interval', 'currency', 'code', 'again'])

const isSoldInOneWay = soldIntervals().length < 2 && soldCurrencies.length < 2

/** How calls name a price, which they need only if there is a choice. */
export function wishFor({ frequency, every, currency }: Price) {
  return isSoldInOneWay ? {} : { price: { frequency, every, currency } }
}
