import { paths } from '#contract/paths.ts'
import { plans, type Plan } from '#config/plans.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Message, LiveRegion } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { TextLink, ButtonLink } from '../../components/button.tsx'
import { sentences } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { BillingActions, CancelCard, FormerActions, useBillingAccess } from './billing-actions.tsx'
import { Invoices } from './invoices.tsx'
import { isOwnershipOffered, OpenOffer } from './ownership-offer.tsx'
import { Overdue, TrialOver } from './overdue.tsx'
import { Paid, NextPayment, type Payment } from './next-payment.tsx'
import { StartAgain, Unfinished, useCancellation } from './planned.tsx'
import { useCall } from '../../api/queries.ts'
import { Badge, Card } from '../../components/card.tsx'
import { classes } from '../../components/classes.ts'
import { SeatsTaken } from '../members/seats.tsx'
import { PlanLine } from './plan-line.tsx'

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
  const { subscription, isAdmin, isOwner } = useProject()
  const hadCards = isOwner && subscription.currency !== null
  return (
    <Message
      tone="neutral"
      title={t('errors.subscriptionCanceled')}
      action={
        <>
          {hadCards && (
            <TextLink to={paths.profile} className="underline">
              {t('billing.cancel.toCards')}
            </TextLink>
          )}
          {isAdmin && <StartAgain />}
        </>
      }
    >
      {says} {sentences(t, t('billing.cancel.nothingMore'), hadCards && t('billing.cancel.cards'))}
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

/** The plan that most buyers choose, offered to projects on a free plan. */
const popular = plans.find((plan: Plan) => plan.popular && !plan.free && !plan.legacy)

/** What the project has and what is charged next. */
function CurrentPlan() {
  const t = useT()
  const { subscription, plan, isActive, pathTo } = useProject()
  const { isOpen, describedBy } = useBillingAccess()
  const { renews } = subscription
  const action = isActive ? (
    <ButtonLink to={pathTo('changePlan')} disabled={!isOpen} aria-describedby={describedBy}>
      {t('billing.overview.changePlan')}
    </ButtonLink>
  ) : (
    <Badge dot>{t('project.status.canceled')}</Badge>
  )
  return (
    <Card title={t('billing.plan')} action={action}>
      <div className={classes('grid gap-5', renews !== null && 'sm:grid-cols-2')}>
        <div className="grid gap-5">
          <PlanLine look="text-lead font-semibold" />
          {isActive && (
            <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-5">
              <div className="w-full sm:max-w-80">
                <SeatsTaken />
              </div>
              {plan.free && popular && isOpen && (
                // The one main action on the billing of a free project.
                <ButtonLink
                  to={`${pathTo('changePlan')}?plan=${popular.id}`}
                  variant="primary"
                  className="max-sm:w-full"
                >
                  {t('billing.overview.upgrade', { plan: t(popular.titleKey) })}
                </ButtonLink>
              )}
            </div>
          )}
        </div>
        {renews !== null && <NextPayment at={renews} />}
      </div>
    </Card>
  )
}
