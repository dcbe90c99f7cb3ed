import { plans, type Plan } from '#config/plans.ts'
import { Badge, Card } from '../../components/card.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { SeatsTaken } from '../members/seats.tsx'
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
      <Card title={t('billing.plan')} action={isActive && <PlanAction />}>
        <div className="grid gap-5">
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <PlanLine look="text-lead font-semibold" />
            {!isActive && <Badge dot>{t('project.status.canceled')}</Badge>}
          </div>
          {isActive && (
            <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-5">
              <div className="w-full sm:max-w-80">
                <SeatsTaken />
              </div>
              <Upgrade />
            </div>
          )}
        </div>
      </Card>
      {renews !== null && <NextPayment at={renews} />}
    </div>
  )
}

function PlanAction() {
  const t = useT()
  const { pathTo } = useProject()
  const { isOpen, describedBy } = useBillingAccess()
  return (
    <ButtonLink to={pathTo('changePlan')} disabled={!isOpen} aria-describedby={describedBy}>
      {t('billing.overview.changePlan')}
    </ButtonLink>
  )
}

/** The one main action on the billing of a free project. */
function Upgrade() {
  const t = useT()
  const { plan, pathTo } = useProject()
  const { isOpen } = useBillingAccess()
  if (!plan.free || !popular || !isOpen) return null
  return (
    <ButtonLink
      to={`${pathTo('changePlan')}?plan=${popular.id}`}
      variant="primary"
      className="max-sm:w-full"
    >
      {t('billing.overview.upgrade', { plan: t(popular.titleKey) })}
    </ButtonLink>
  )
}
