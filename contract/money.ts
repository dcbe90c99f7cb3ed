import { digitsOf } from './currencies.ts'
import { memoize } from './memoize.ts'

/**
 * Formats an amount in minor units as invoices show it, the same in every language. A true minus, as
 * wide as the digits, is in place of the hyphen.
 */
export function formatMoney(total: number, currency: string) {
  return formatOf(currency)
    .format(total / 10 ** digitsOf(currency))
    .replace('-', '−')
}

/** The amount in major units, for spreadsheets: `10.00`, `-5`. */
export function decimalOf(total: number, currency: string) {
  const digits = digitsOf(currency)
  return (total / 10 ** digits).toFixed(digits)
}

const formatOf = memoize((currency: string) => {
  const digits = digitsOf(currency)
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
})
