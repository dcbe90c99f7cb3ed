import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CopyId } from '../../components/copy-id.tsx'
import { Message } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { PlanFeatures } from '../../components/plan-grid.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { weeklyPrice } from '../billing/plans.ts'
import { LeaveProject } from '../members/leave-project.tsx'
import { StatusBadge } from './projects.tsx'

export function ProjectDashboard() {
  const t = useT()
  const { subscriptionId, subscription, name, plan, isActive, isOwner } = useProject()
  const [isLeaving, setLeaving] = useState(false)
  return (
    <>
      <PageTitle title={name} action={<StatusBadge status={subscription.status} />}>
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-small text-soft">
          <span>{t('project.id')}</span>
          <CopyId id={subscriptionId} />
        </p>
      </PageTitle>
      {!isActive && <Message tone="neutral">{t('project.canceled')}</Message>}
      <div className="grid items-start gap-5 fold:grid-cols-2">
        <Card title={t('project.plan')}>
          <p className="text-lead font-semibold">{t(plan.titleKey)}</p>
          {isActive && (
            <p className="text-soft tabular-nums">
              {t('plans.price', { price: weeklyPrice(subscription, plan) })}
            </p>
          )}
        </Card>
        <Card title={t('project.features')}>
          <PlanFeatures plan={plan} isOver={!isActive} />
        </Card>
      </div>
      {!isOwner && (
        <Button
          variant="quiet"
          icon={<LogOut />}
          onClick={() => setLeaving(true)}
          className="justify-self-start"
        >
          {t('people.leave.action')}
        </Button>
      )}
      {isLeaving && <LeaveProject onClose={() => setLeaving(false)} />}
    </>
  )
}
