import { minimumCharges, minorDigits, smallestSteps, wholeOnly } from '../rules/currencies.ts'

/** The amount in words: `$10.00`, `¥500`, `KWD 1.500`. */
export function money(minor: number, currency: string): string {
  const shown = wholeOnly.currencies.includes(currency) ? 0 : digitsOf(currency)
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(minor / 10 ** digitsOf(currency))
}

/** The amount to charge: a multiple of the currency's step, and 0 below the minimum. */
export function chargeable(amount: number, currency: string): number {
  const step = stepOf(currency)
  const due = Math.round(amount / step) * step
  return due < (minimumCharges.amounts[currency] ?? step) ? 0 : due
}

export function stepOf(currency: string): number {
  if (wholeOnly.currencies.includes(currency)) return smallestSteps.whole
  return minorDigits.three.includes(currency) ? smallestSteps.three : 1
}

function digitsOf(currency: string): number {
  if (minorDigits.none.includes(currency)) return 0
  return minorDigits.three.includes(currency) ? 3 : 2
}
