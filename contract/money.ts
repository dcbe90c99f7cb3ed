import { memoize } from './memoize.ts'

/** Formats an amount in minor units as invoices show it, the same in every language. */
export function formatMoney(total: number, currency: string) {
  return formatOf(currency).format(total / 100)
}

const formatOf = memoize(
  (currency: string) => new Intl.NumberFormat('en-US', { style: 'currency', currency }),
)
