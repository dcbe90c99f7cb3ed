import { Badge } from '../../components/badge.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { NextPayment } from './next-payment.tsx'
import { SeatsTaken } from './seats-taken.tsx'
import { useBillingAccess } from './use-billing-access.ts'
import { weeklyPrice } from './weekly-price.ts'

/** The element `reasonId` says why the user can't change the plan. */
export function CurrentPlan({ reasonId }: { reasonId: string }) {
  const t = useT()
  const { subscription, plan, isActive, pathTo } = useProject()
  const reason = useBillingAccess()
  return (
    <Card
      title={t('billing.plan')}
      action={
        <ButtonLink
          variant={plan.free && isActive ? 'primary' : 'plain'}
          to={pathTo('changePlan')}
          disabled={reason !== undefined}
          aria-describedby={reason && reasonId}
        >
          {t('billing.overview.changePlan')}
        </ButtonLink>
      }
    >
      <div className="grid gap-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div>
            <p className="text-lead font-semibold">{t(plan.titleKey)}</p>
            {isActive && (
              <p className="text-soft tabular-nums">
                {t('plans.price', { price: weeklyPrice(subscription, plan) })}
              </p>
            )}
          </div>
          {!isActive && <Badge dot>{t('project.status.canceled')}</Badge>}
        </div>
        {isActive && <SeatsTaken />}
        {subscription.renews !== null && <NextPayment at={subscription.renews} />}
      </div>
    </Card>
  )
}
