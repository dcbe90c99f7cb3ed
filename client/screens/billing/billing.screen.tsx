import { useEffect, useId, useRef, useState } from 'react'
import { Message } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { BillingActions } from './billing-actions.tsx'
import { CancelCard } from './cancel-card.tsx'
import { CanceledNotice } from './canceled-notice.tsx'
import { CurrentPlan } from './current-plan.tsx'
import { Invoices } from './invoices.tsx'
import { Overdue } from './overdue.tsx'

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

/** Takes the place of the overdue card, and the focus from its button, which is gone. */
function Paid() {
  const t = useT()
  const message = useRef<HTMLDivElement>(null)
  useEffect(() => message.current?.focus(), [])
  return (
    <div ref={message} tabIndex={-1} className="outline-none">
      <Message tone="good">{t('billing.overdue.done')}</Message>
    </div>
  )
}
