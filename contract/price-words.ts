import type { Translate } from '#locales/translator.ts'
import { formatMoney } from './money.ts'
import type { Interval } from './plan.ts'
import type { Price } from './prices.ts'

/** `$10.00 per week`, in the language of `t`. */
export function priceWords(price: Price, t: Translate) {
  const amount = formatMoney(price.amount, price.currency)
  return t('plans.price', { amount, interval: perInterval(price, t) })
}

/** `Pro (yearly)`: a plan by the interval that it is paid for. */
export function planWords(plan: string, interval: Interval, t: Translate) {
  return t('plans.paidBy', { plan, interval: intervalName(interval, t) })
}

/** `yearly`, `every 3 months`. */
export function intervalName({ frequency, every }: Interval, t: Translate) {
  return t(every === 1 ? `plans.paid.${frequency}` : `plans.paid.${frequency}s`, { count: every })
}

/** What follows an amount: `per week`, `every 3 months`. */
export function perInterval({ frequency, every }: Interval, t: Translate) {
  return t(every === 1 ? `plans.per.${frequency}` : `plans.per.${frequency}s`, { count: every })
}
