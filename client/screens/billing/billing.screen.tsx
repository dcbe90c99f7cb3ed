import { paths } from '#contract/paths.ts'
import { useEffect, useRef, useState } from 'react'
import { Message } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { TextLink } from '../../components/button.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { BillingActions, CancelCard, FormerActions, reasonId } from './billing-actions.tsx'
import { CurrentPlan } from './current-plan.tsx'
import { Invoices } from './invoices.tsx'
import { Overdue } from './overdue.tsx'
import { useCancellation } from './use-cancellation.ts'

export function Billing() {
  const t = useT()
  const { subscription, name, isActive } = useProject()
  const [isPaid, setPaid] = useState(false)
  return (
    <>
      <PageTitle title={t('billing.title')}>
        <p className="mt-1 hidden text-soft print:block">{name}</p>
      </PageTitle>
      {isPaid && <Paid />}
      {isActive && subscription.payment !== 'ok' && <Overdue onPaid={() => setPaid(true)} />}
      {!isActive && <CanceledNotice />}
      <CurrentPlan />
      {isActive ? <BillingActions /> : <FormerActions />}
      <Invoices />
      {isActive && <CancelCard />}
    </>
  )
}

/** Says that the payment worked. Takes the focus, because the pay button is gone. */
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

/** Says when and why the project ended. All buttons below are disabled for that reason. */
function CanceledNotice() {
  const t = useT()
  const { says } = useCancellation()
  return (
    <Message
      tone="neutral"
      title={<span id={reasonId}>{t('errors.subscriptionCanceled')}</span>}
      action={
        <TextLink to={paths.profile} className="underline">
          {t('billing.cancel.toCards')}
        </TextLink>
      }
    >
      {says}{' '}
      {t('common.sentences', {
        first: t('billing.cancel.nothingMore'),
        second: t('billing.cancel.cards'),
      })}
    </Message>
  )
}
