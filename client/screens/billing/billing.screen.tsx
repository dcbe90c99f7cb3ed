import { useId, useState } from 'react'
import { PageTitle } from '../../components/page-title.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { BillingActions } from './billing-actions.tsx'
import { CancelCard } from './cancel-card.tsx'
import { CanceledNotice } from './canceled-notice.tsx'
import { CurrentPlan } from './current-plan.tsx'
import { Invoices } from './invoices.tsx'
import { Overdue } from './overdue.tsx'
import { Paid } from './paid.tsx'

export function Billing() {
  const t = useT()
  const { subscription, name, isActive } = useProject()
  const reasonId = useId()
  const [isPaid, setPaid] = useState(false)
  return (
    <>
      <PageTitle title={t('billing.title')}>
        <p className="mt-1 hidden text-soft print:block">{name}</p>
      </PageTitle>
      {isPaid && <Paid />}
      {isActive && subscription.payment !== 'ok' && <Overdue onPaid={() => setPaid(true)} />}
      {!isActive && <CanceledNotice reasonId={reasonId} />}
      <CurrentPlan reasonId={reasonId} />
      <BillingActions reasonId={reasonId} />
      <Invoices />
      <CancelCard reasonId={reasonId} />
    </>
  )
}
