import { paths } from '#contract/paths.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Message, LiveRegion } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { TextLink, ButtonLink } from '../../components/button.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { BillingActions, CancelCard, FormerActions } from './billing-actions.tsx'
import { CurrentPlan } from './current-plan.tsx'
import { Invoices } from './invoices.tsx'
import { isOwnershipOffered, OpenOffer } from './ownership-offer.tsx'
import { Overdue, TrialOver } from './overdue.tsx'
import { Paid, type Payment } from './paid.tsx'
import { Unfinished } from './unfinished.tsx'
import { useCancellation } from './use-cancellation.ts'
import { useCall } from '../../api/queries.ts'

export function Billing() {
  const t = useT()
  const { subscription, name, isActive, isOwner } = useProject()
  const [paid, setPaid] = useState<Payment>()
  return (
    <>
      <PageTitle title={t('billing.title')}>
        <p className="mt-1 hidden text-soft print:block">{name}</p>
      </PageTitle>
      {paid && (
        <Focused>
          <Paid {...paid} otherwise={t('billing.overdue.done')} />
        </Focused>
      )}
      {isActive && subscription.payment !== 'ok' && <Overdue onPaid={setPaid} />}
      {isActive && subscription.look_only?.because === 'trialEnded' && (
        <TrialOver onPaid={setPaid} />
      )}
      {isActive && isOwnershipOffered && <OpenOffer />}
      {isActive && <Unfinished />}
      {!isActive && <CanceledNotice />}
      {isActive && isOwner && <ReceiptsRefused />}
      <CurrentPlan />
      {isActive ? <BillingActions /> : <FormerActions />}
      <Invoices />
      {isActive && <CancelCard />}
    </>
  )
}

/** Takes the focus, because the pay button is gone. */
function Focused({ children }: { children: ReactNode }) {
  const message = useRef<HTMLDivElement>(null)
  useEffect(() => message.current?.focus(), [])
  return (
    <div ref={message} tabIndex={-1} className="outline-none">
      {children}
    </div>
  )
}

/** Says when and why the project ended. */
function CanceledNotice() {
  const t = useT()
  const { says } = useCancellation()
  const { isOwner } = useProject()
  return (
    <Message
      tone="neutral"
      title={t('errors.subscriptionCanceled')}
      action={
        isOwner && (
          <TextLink to={paths.profile} className="underline">
            {t('billing.cancel.toCards')}
          </TextLink>
        )
      }
    >
      {says}{' '}
      {isOwner
        ? t('common.sentences', {
            first: t('billing.cancel.nothingMore'),
            second: t('billing.cancel.cards'),
          })
        : t('billing.cancel.nothingMore')}
    </Message>
  )
}

/** Tells the owner that a mail about the project did not reach the address for receipts. */
function ReceiptsRefused() {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const { data } = useCall('getBillingDetails', { subscriptionId })
  return (
    <LiveRegion>
      {data?.billing_email_refused && (
        <Message
          tone="warn"
          action={
            <ButtonLink to={pathTo('updateBillingDetails')}>
              {t('billing.details.title')}
            </ButtonLink>
          }
        >
          {t('billing.details.emailRefused')}
        </Message>
      )}
    </LiveRegion>
  )
}
