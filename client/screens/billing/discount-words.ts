import type { Discount } from '#contract/entities.ts'
import { priceWords } from '#contract/price-words.ts'
import type { Price } from '#contract/prices.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'

/** Says what a price is with a discount: `$32.00 instead of $40.00 per month until …` */
export function useDiscountWords() {
  const t = useT()
  const format = useFormat()
  return (discount: Discount, price: Price) => {
    const { amount, currency } = price
    const { until } = discount
    const off = 'percent' in discount ? (amount * discount.percent) / 100 : discount.amount
    const reduced = format.money(Math.max(0, amount - Math.round(off)), currency)
    const words = { reduced, price: priceWords(price, t) }
    if (until === null) return t('billing.discount.always', words)
    return t('billing.discount.until', { ...words, date: format.billingDate(until) })
  }
}
