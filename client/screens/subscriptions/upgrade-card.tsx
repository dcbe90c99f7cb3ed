import { plans, type Plan } from '#config/plans.ts'
import { formatMoney } from '#contract/money.ts'
import { ButtonLink } from '../../components/button.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { HomeCard } from './home-card.tsx'

const sold: readonly Plan[] = plans.filter((plan: Plan) => !plan.legacy && !plan.free)
const cheapest = sold.toSorted((one, other) => one.price - other.price)[0]

/** Tells the owner of a free project what the next plan gives. Empty if no plan costs anything. */
export function UpgradeCard() {
  const t = useT()
  const { pathTo } = useProject()
  if (!cheapest) return null
  const { titleKey, seats, price, currencyCode } = cheapest
  const words = { plan: t(titleKey), seats, price: formatMoney(price * 100, currencyCode) }
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
