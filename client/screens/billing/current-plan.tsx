import { plans, type Plan } from '#config/plans.ts'
import { Badge, Card } from '../../components/card.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { SeatsTaken } from '../members/seats-taken.tsx'
import { useBillingAccess } from './billing-actions.tsx'
import { NextPayment } from './next-payment.tsx'
import { PlanLine } from './plan-line.tsx'

/** The plan that most buyers choose, offered to projects on a free plan. */
const popular = plans.find((plan: Plan) => plan.popular && !plan.free && !plan.legacy)

/** What the project has, and beside it what is charged next. */
export function CurrentPlan() {
  const t = useT()
  const { subscription, isActive } = useProject()
  const { renews } = subscription
  return (
    <div className={classes('grid gap-5', renews !== null && 'sm:grid-cols-2')}>
      <Card title={t('billing.plan')} action={isActive && <PlanActions />}>
        <div className="grid gap-5">
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <PlanLine look="text-lead font-semibold" />
            {!isActive && <Badge dot>{t('project.status.canceled')}</Badge>}
          </div>
          {isActive && (
            <div className="max-w-80">
              <SeatsTaken />
            </div>
          )}
        </div>
      </Card>
      {renews !== null && <NextPayment at={renews} />}
    </div>
  )
}

function PlanActions() {
  const t = useT()
  const { plan, pathTo } = useProject()
  const { isOpen, describedBy } = useBillingAccess()
  const changePlan = pathTo('changePlan')
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink to={changePlan} disabled={!isOpen} aria-describedby={describedBy}>
        {t('billing.overview.changePlan')}
      </ButtonLink>
      {plan.free && popular && isOpen && (
        <ButtonLink to={`${changePlan}?plan=${popular.id}`} variant="primary">
          {t('billing.overview.upgrade', { plan: t(popular.titleKey) })}
        </ButtonLink>
      )}
    </div>
  )
}
