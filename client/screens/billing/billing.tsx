import { Badge } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { Invoices } from './invoices.tsx'

export function Billing() {
  const t = useT()
  const { plan, isActive } = useProject()
  return (
    <>
      <PageTitle title={t('billing.title')} />
      <Card title={t('billing.plan')}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div>
            <p className="text-lead font-semibold">{t(plan.titleKey)}</p>
            <p className="text-soft tabular-nums">
              {`${plan.currency}${plan.price}`} {t('plans.perWeek')}
            </p>
          </div>
          {!isActive && <Badge dot>{t('project.status.canceled')}</Badge>}
        </div>
      </Card>
      <Invoices />
    </>
  )
}
