import { plans, type Plan } from '#config/plans.ts'
import { currencyOfCountry, currencyOfLanguages } from '#contract/currency-of-country.ts'
import { inCurrency, nearestPrice, pricesOf, savedAYear, soldIntervals } from '#contract/prices.ts'
import { expect, test } from 'vitest'

const planOf = (id: string): Plan => plans.find((plan) => plan.id === id)!
const [week, month, quarter, year] = [
  { frequency: 'week', every: 1 },
  { frequency: 'month', every: 1 },
  { frequency: 'month', every: 3 },
  { frequency: 'year', every: 1 },
] as const

test('the intervals to choose from are those that a plan is sold for in the currency', () => {
  expect(soldIntervals()).toEqual([week, month, quarter, year])
  expect(soldIntervals('gbp')).toEqual([month, year])
})

test('a plan shows the wanted price, or else one of the wanted currency', () => {
  const pro = planOf('pro')
  expect(nearestPrice(pro, year, 'jpy')).toEqual({ amount: 60_000, currency: 'jpy', ...year })
  expect(nearestPrice(pro, week, 'gbp')).toEqual({ amount: 32_00, currency: 'gbp', ...month })
  expect(nearestPrice(pro, quarter, 'usd')).toEqual({ amount: 40_00, currency: 'usd', ...month })
  expect(nearestPrice(pro, year, 'chf')).toEqual({ amount: 400_00, currency: 'usd', ...year })
  expect(nearestPrice(pro)).toEqual({ amount: 40_00, currency: 'usd', ...month })
})

test('a free plan costs nothing in any currency, for any time', () => {
  expect(nearestPrice(planOf('free'), year, 'eur')).toEqual({ amount: 0, currency: 'eur', ...year })
})

test('a longer interval says what it saves in a year, and the shortest saves nothing', () => {
  const [monthly, quarterly, yearly] = pricesOf(planOf('enterprise'))
  const saved = (price: typeof monthly, currency: 'usd' | 'kwd') =>
    savedAYear(planOf('enterprise'), inCurrency(price!, currency))
  expect(saved(monthly, 'usd')).toBe(0)
  expect(saved(quarterly, 'usd')).toBe(120_00)
  expect(saved(yearly, 'usd')).toBe(240_00)
  expect(saved(yearly, 'kwd')).toBe(75_000)
  expect(savedAYear(planOf('free'), nearestPrice(planOf('free')))).toBe(0)
})

test.each([
  ['DE', 'eur'],
  ['GB', 'gbp'],
  ['EC', 'usd'],
  ['LI', 'chf'],
  ['KW', undefined],
])('people in %s pay in %s', (country, currency) => {
  expect(currencyOfCountry(country, ['usd', 'eur', 'gbp', 'chf'])).toBe(currency)
})

test.each([
  ['chf', ['de', 'de-CH', 'fr-FR']],
  ['eur', ['de-Latn-AT-u-co-phonebk']],
  [undefined, ['ja-JP', 'en-US']],
  [undefined, ['es-419', 'en']],
])('the usual currency is %s where the languages are %s', (currency, languages) => {
  expect(currencyOfLanguages(languages, ['usd', 'eur', 'chf'])).toBe(currency)
})
