import { Badge } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { NextPayment } from './next-payment.tsx'
import { SeatsTaken } from './seats-taken.tsx'

export function CurrentPlan() {
  const t = useT()
  const { subscription, plan, isActive } = useProject()
  return (
    <Card title={t('billing.plan')}>
      <div className="grid gap-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div>
            <p className="text-lead font-semibold">{t(plan.titleKey)}</p>
            {isActive && <p className="text-soft tabular-nums">{t('plans.price', { price: `${plan.currency}${plan.price}` })}</p>}
          </div>
          {!isActive && <Badge dot>{t('project.status.canceled')}</Badge>}
        </div>
        {isActive && <SeatsTaken />}
        {subscription.renews !== null && <NextPayment at={subscription.renews} />}
      </div>
    </Card>
  )
}
