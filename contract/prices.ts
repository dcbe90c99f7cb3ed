import { daysOf } from '#config/billing.ts'
import { plans } from '#config/plans.ts'
import { minorUnits, stepOf, type CurrencyCode } from './currencies.ts'
import type { Price } from './entities.ts'
import type { Amounts, Interval, Plan } from './plan.ts'

/** One way in which a plan is sold: see `FurtherPrice`. */
export type PlanPrice = Interval & { amounts: Amounts; priceIds: readonly string[] }

export type { Price }

/** The prices of a plan. The first is that of the specification's fields; a free plan has none. */
export function pricesOf(plan: Plan): PlanPrice[] {
  if (plan.free) return []
  const { price, currencyCode, frequency, every = 1, priceIds, amounts, prices = [] } = plan
  const first = { [currencyCode]: minorUnits(price, currencyCode), ...amounts }
  return [
    { frequency, every, amounts: first, priceIds },
    ...prices.map(({ every = 1, ...further }) => ({ ...further, every })),
  ]
}

/** The amount of a weekly price; null for another interval. */
export function weeklyAmount({ amount, frequency, every }: Price) {
  return frequency === 'week' && every === 1 ? amount : null
}

/** Whether two prices are for the same interval. */
export function isSameInterval(one: Interval, other: Interval) {
  return one.frequency === other.frequency && one.every === other.every
}

/** The currencies that a price is sold in, the plan's first one first. */
export function currenciesOf({ amounts }: PlanPrice) {
  return Object.keys(amounts) as [CurrencyCode, ...CurrencyCode[]]
}

function isSoldIn(price: PlanPrice, currency: string) {
  return currenciesOf(price).some((code) => code === currency)
}

/** What one costs in a currency that it is sold in. */
export function inCurrency(
  { frequency, every, amounts }: PlanPrice,
  currency: CurrencyCode,
): Price {
  return { amount: amounts[currency]!, currency, frequency, every }
}

/**
 * What somebody pays for a plan who wants this interval and this currency. If it isn't sold so, the
 * price is one that it is sold for, of this currency rather than of this interval.
 */
export function nearestPrice(
  plan: Plan,
  interval?: Interval | null,
  currency?: string | null,
): Price {
  const all = pricesOf(plan)
  const ofCurrency = all.filter((price) => currency && isSoldIn(price, currency))
  const prices = ofCurrency.length > 0 ? ofCurrency : all
  const price = prices.find((one) => interval && isSameInterval(one, interval)) ?? prices[0]
  if (!price) {
    const { frequency, every = 1 } = interval ?? plan
    return { amount: 0, currency: currency ?? plan.currencyCode, frequency, every }
  }
  const [first, ...others] = currenciesOf(price)
  return inCurrency(price, others.find((code) => code === currency) ?? first)
}

/** What a price is by the day, by which prices of different intervals are compared. */
export function perDay(price: Price) {
  return price.amount / lengthOf(price)
}

/** Whether a price is lower by the day than another one in the same currency. */
export function isLower(one: Price, other: Price) {
  // Months are no whole number of days, so equal prices may differ by a rounding.
  return perDay(one) < perDay(other) * (1 - 1e-9)
}

const sold = (plans as readonly Plan[]).filter(({ free, legacy }) => !free && !legacy)

/** Every interval that some plan is sold for, the shortest first; with `currency`, that is sold in it. */
export function soldIntervals(currency?: string): Interval[] {
  return sold
    .flatMap(pricesOf)
    .filter((price) => currency === undefined || isSoldIn(price, currency))
    .filter((price, place, all) => all.findIndex((one) => isSameInterval(one, price)) === place)
    .map(({ frequency, every }) => ({ frequency, every }))
    .toSorted((one, other) => lengthOf(one) - lengthOf(other))
}

/** The interval that buyers see unless they choose. Undefined if no plan costs anything. */
export const usualInterval: Interval | undefined = sold.flatMap(pricesOf)[0]

/** Every currency that some plan is sold in, in the order of config/plans.ts. */
export const soldCurrencies = [...new Set(sold.flatMap(pricesOf).flatMap(currenciesOf))]

/** What a year costs less at this price than at the plan's price for its shortest interval. */
export function savedAYear(plan: Plan, price: Price) {
  const [shortest] = pricesOf(plan)
    .flatMap((one) => currenciesOf(one).map((code) => inCurrency(one, code)))
    .filter(({ currency }) => currency === price.currency)
    .toSorted((one, other) => lengthOf(one) - lengthOf(other))
  if (!shortest) return 0
  const step = stepOf(price.currency)
  const saved = (perDay(shortest) - perDay(price)) * daysOf.year
  return Math.max(0, Math.round(saved / step) * step)
}

/** The length of an interval in days. */
export function lengthOf({ frequency, every }: Interval) {
  return daysOf[frequency] * every
}
