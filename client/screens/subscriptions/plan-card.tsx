import { PlanFeatures } from '../../components/plan-grid.tsx'
import { UsageMeters } from '../../layouts/usage.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { PlanLine } from '../billing/plan-line.tsx'
import { SeatsTaken } from '../members/seats.tsx'
import { HomeCard } from './home-card.tsx'

export function PlanCard({ className }: { className: string | undefined }) {
  const t = useT()
  const { plan, isActive, isOwner, pathTo } = useProject()
  return (
    <HomeCard
      title={t('project.plan')}
      className={className}
      link={
        // Beside a free plan, another card leads to all plans.
        isOwner &&
        isActive &&
        !plan.free && { to: pathTo('changePlan'), says: t('billing.overview.changePlan') }
      }
    >
      <div className="grid content-start gap-4">
        <PlanLine look="text-title" />
        {isActive && <SeatsTaken />}
        {isActive && <UsageMeters />}
        <div>
          <h3 className="mb-2.5 text-small font-strong">{t('project.features')}</h3>
          <PlanFeatures plan={plan} isOver={!isActive} />
        </div>
      </div>
    </HomeCard>
  )
}
