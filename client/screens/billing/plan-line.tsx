import { priceWords } from '#contract/price-words.ts'
import type { Discount } from '#contract/entities.ts'
import type { Price } from '#contract/prices.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { ownPrice } from './plans.ts'
import { useFormat } from '../../platform/format.ts'

/** The project's plan and what it pays for it. `look` is that of the plan's name. */
export function PlanLine({ look }: { look: string }) {
  const t = useT()
  const { subscription, plan, isActive } = useProject()
  const discountWords = useDiscountWords()
  const { discount, price } = subscription
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className={look}>{t(plan.titleKey)}</span>
      {isActive && (
        <span className="text-soft tabular-nums">
          {priceWords(ownPrice(subscription, plan), t)}
        </span>
      )}
      {isActive && discount && price && (
        <span className="basis-full text-small text-soft tabular-nums">
          {discountWords(discount, price)}
        </span>
      )}
      {isActive && plan.legacy && (
        <span className="basis-full text-small text-soft">{t('billing.overview.legacy')}</span>
      )}
    </p>
  )
}

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
