import { plans, type Plan } from '#config/plans.ts'
import { priceWords } from '#contract/price-words.ts'
import { nearestPrice, perDay } from '#contract/prices.ts'
import { ButtonLink } from '../../components/button.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { HomeCard } from './home-card.tsx'

const sold: readonly Plan[] = plans.filter((plan: Plan) => !plan.legacy && !plan.free)

/** Tells the owner of a free project what the next plan gives. Empty if no plan costs anything. */
export function UpgradeCard() {
  const t = useT()
  const { subscription, pathTo } = useProject()
  const [cheapest] = sold
    .map((plan) => ({ plan, price: nearestPrice(plan, null, subscription.currency) }))
    .toSorted((one, other) => perDay(one.price) - perDay(other.price))
  if (!cheapest) return null
  const { plan, price } = cheapest
  const words = { plan: t(plan.titleKey), seats: plan.seats, price: priceWords(price, t) }
  return (
    <HomeCard title={t('home.payment.title')}>
      <div className="flex h-full flex-col gap-4">
        <p className="text-title">{t('home.payment.none')}</p>
        <p className="text-soft">{t('home.payment.upgradeHint', words)}</p>
        <p className="mt-auto">
          <ButtonLink to={pathTo('changePlan')}>{t('home.payment.upgrade')}</ButtonLink>
        </p>
      </div>
    </HomeCard>
  )
}
