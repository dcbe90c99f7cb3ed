import { PlanFeatures } from '../../components/plan-grid.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { weeklyPrice } from '../billing/plans.ts'
import { SeatsTaken } from '../members/seats-taken.tsx'
import { HomeCard } from './home-card.tsx'

export function PlanCard() {
  const t = useT()
  const { subscription, plan, isActive, isAdmin, isOwner, pathTo } = useProject()
  return (
    <HomeCard
      title={t('project.plan')}
      link={
        // Beside a free plan, another card leads to all plans.
        isOwner &&
        isActive &&
        !plan.free && { to: pathTo('changePlan'), says: t('billing.overview.changePlan') }
      }
    >
      <div className="grid content-start gap-4">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-title">{t(plan.titleKey)}</span>
          {isActive && (
            <span className="text-soft tabular-nums">
              {t('plans.price', { price: weeklyPrice(subscription, plan) })}
            </span>
          )}
        </p>
        {isActive && isAdmin && <SeatsTaken />}
        <div>
          <h3 className="mb-2.5 text-small font-strong">{t('project.features')}</h3>
          <PlanFeatures plan={plan} isOver={!isActive} />
        </div>
      </div>
    </HomeCard>
  )
}
