import { currencyOfLanguages } from './currency-of-country.ts'
import type { Subscription } from './entities.ts'
import type { Interval } from './plan.ts'
import { isSameInterval, soldCurrencies, soldIntervals, usualInterval } from './prices.ts'

type Query = { get: (name: string) => string | null }

/** What a project pays now. Its currency stays. */
export type Payer = Pick<Subscription, 'price' | 'currency'>

/**
 * The interval and the currency that the URL asks for, or else the project, or the browser by the
 * languages that it asks for.
 */
export function choiceOf(query: Query, languages: readonly string[], payer?: Payer) {
  const currency =
    payer?.currency ??
    soldCurrencies.find((code) => code === query.get('currency')) ??
    currencyOfLanguages(languages, soldCurrencies)
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

/** Each way in which plans are sold, as a query has it. Where there is no choice, one that is empty. */
export const waysToPay = isSoldInOneWay()
  ? ['']
  : soldCurrencies.flatMap((currency) =>
      soldIntervals(currency).map((interval) => wayOf(interval, currency)),
    )

/** The way to pay that `choiceOf` chooses. */
export function wayToPay(query: Query, languages: readonly string[]) {
  const { interval, currency = soldCurrencies[0] } = choiceOf(query, languages)
  const wanted = interval && currency && wayOf(interval, currency)
  return waysToPay.find((way) => way === wanted) ?? waysToPay[0]!
}

function wayOf(interval: Interval, currency: string) {
  return `interval=${keyOf(interval)}&currency=${currency}`
}

/** Whether every plan has one price. */
export function isSoldInOneWay() {
  return soldIntervals().length < 2 && soldCurrencies.length < 2
}
