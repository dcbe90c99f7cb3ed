import { priceWords } from '#contract/price-words.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useDiscountWords } from './discount-words.ts'
import { ownPrice } from './plans.ts'

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
