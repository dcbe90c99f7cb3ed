import type { EpochSeconds } from '#contract/entities.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useCall } from '../../api/queries.tsx'
import { Badge, Card } from '../../components/card.tsx'
import { ButtonLink, TextLink } from '../../components/button.tsx'
import { Problem } from '../../components/message.tsx'
import { SeatMeter } from '../../components/seat-meter.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { firstPage } from '../../components/use-query.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { cardName, defaultOf, expiry, lifeOf } from './card-words.ts'
import { weeklyPrice } from './plans.ts'
import { useBillingAccess } from './billing-actions.tsx'

export function CurrentPlan() {
  const t = useT()
  const { subscription, plan, isActive, pathTo } = useProject()
  const { isOpen, describedBy } = useBillingAccess()
  return (
    <Card
      title={t('billing.plan')}
      action={
        <ButtonLink
          variant={plan.free && isActive ? 'primary' : 'plain'}
          to={pathTo('changePlan')}
          disabled={!isOpen}
          aria-describedby={describedBy}
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

/** Reads the seats from the first page of the users list. Every page has them. */
function SeatsTaken() {
  const { subscriptionId } = useProject()
  const { data, error } = useCall('getSubscriptionUsers', { subscriptionId, ...firstPage })
  if (error && !data) return null
  if (!data)
    return (
      <Skeleton className="grid h-8.5 content-between py-0.5" bones={['h-3.5 w-32', 'h-1.5']} />
    )
  return (
    <div className="max-w-80">
      <SeatMeter seats={data.seats} />
    </div>
  )
}

/** Shows the next payment, or the end of the plan. The owner also sees the card and the credit. */
function NextPayment({ at }: { at: EpochSeconds }) {
  const t = useT()
  const format = useFormat()
  const { subscription, plan, isOwner } = useProject()
  const { ends, is_paused: isPaused } = subscription
  const isPaid = !isPaused && (ends === null || ends > at)
  const amount = weeklyPrice(subscription, plan)
  return (
    <div className="border-t border-line pt-4">
      <div className="font-medium tabular-nums">
        {isPaused && <p>{t('billing.overview.paused')}</p>}
        {isPaid && <p>{t('billing.overview.nextPayment', { amount, date: format.date(at) })}</p>}
        {ends !== null && <p>{t('billing.overview.ends', { date: format.date(ends) })}</p>}
      </div>
      {isOwner && isPaid && <DefaultCard />}
      {isOwner && isPaid && <Credit />}
    </div>
  )
}

function Credit() {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, subscription, plan } = useProject()
  const { data } = useCall('getBillingDetails', { subscriptionId })
  if (!data?.credit) return null
  return (
    <p className="text-small text-soft">
      {t('billing.overview.credit', {
        amount: format.money(data.credit, subscription.currency ?? plan.currencyCode),
      })}
    </p>
  )
}

/** Always two lines high, so that nothing moves when the card is loaded. */
function DefaultCard() {
  const t = useT()
  const { subscriptionId } = useProject()
  const { data, error, refetch } = useCall('getPaymentMethods', { subscriptionId })
  if (error && !data)
    return (
      <div className="mt-3">
        <Problem error={error} failed="billing.cards.loadFailed" retry={refetch} />
      </div>
    )
  if (!data)
    return <Skeleton className="grid h-10.5 content-evenly" bones={['h-3.5 w-36', 'h-3 w-24']} />
  const card = defaultOf(data)?.card
  if (!card)
    return (
      <p className="min-h-10.5 text-warn">
        {t('billing.overview.noCard')} <ToCards says="billing.cards.add" />
      </p>
    )
  const life = lifeOf(card)
  return (
    <div className="min-h-10.5">
      <p className="text-soft">{t('billing.overview.paidWith', { card: cardName(card) })}</p>
      <p className={life === 'long' ? 'text-small text-soft' : 'text-small font-medium text-warn'}>
        {t(`billing.overview.life.${life}`, { expiry: expiry(card) })}{' '}
        {life !== 'long' && <ToCards says="billing.overview.addCard" />}
      </p>
    </div>
  )
}

function ToCards({ says }: { says: MessageKey }) {
  const t = useT()
  const { pathTo } = useProject()
  return (
    <TextLink to={pathTo('managePaymentMethods')} className="ms-1 underline">
      {t(says)}
    </TextLink>
  )
}
