import { memoize } from './memoize.ts'

/**
 * Formats an amount in minor units as invoices show it, the same in every language. A true minus, as
 * wide as the digits, is in place of the hyphen.
 */
export function formatMoney(total: number, currency: string) {
  return formatOf(currency)
    .format(total / 100)
    .replace('-', '−')
}

const formatOf = memoize(
  (currency: string) => new Intl.NumberFormat('en-US', { style: 'currency', currency }),
)
