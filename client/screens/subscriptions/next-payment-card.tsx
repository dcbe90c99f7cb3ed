import type { PaymentState } from '#contract/entities.ts'
import { nextCharge } from '#contract/next-charge.ts'
import { perInterval } from '#contract/price-words.ts'
import { useCall } from '../../api/queries.ts'
import { ButtonLink } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { Skeleton } from '../../components/skeleton.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { CardLife } from '../billing/card-life.tsx'
import { cardName, defaultOf, lifeOf } from '../billing/card-words.ts'
import { Credit, useNextDue } from '../billing/next-payment.tsx'
import { EndsUnlessPaid } from '../billing/overdue.tsx'
import { Planned } from '../billing/planned.tsx'
import { useOwed } from '../billing/use-owed.ts'
import { HomeCard } from './home-card.tsx'

type Missing = Exclude<PaymentState, 'ok'>

/** What is charged next and when, or what is missing. For those who may see the billing. */
export function NextPaymentCard({ missing }: { missing: Missing | undefined }) {
  const t = useT()
  const { pathTo } = useProject()
  return (
    <HomeCard
      title={t(missing ? 'billing.overdue.title' : 'home.payment.title')}
      link={{ to: pathTo('billing'), says: t('home.payment.toBilling') }}
    >
      {missing ? <MissingPayment missing={missing} /> : <NextPayment />}
    </HomeCard>
  )
}

function NextPayment() {
  const t = useT()
  const format = useFormat()
  const { subscription, isOwner, owner } = useProject()
  const next = useNextDue()
  const at = nextCharge(subscription)
  return (
    <div className="grid gap-4">
      {subscription.is_paused && <p className="font-medium">{t('billing.overview.paused')}</p>}
      {at !== undefined && (
        <p className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
          {/* Until it is known, the price keeps its place, so that nothing moves. */}
          <span className={classes('text-title', next.isLoading && 'invisible')}>
            {next.amount}
          </span>
          <span className="text-soft">
            {t(next.isExact || next.isLoading ? 'home.payment.on' : 'home.payment.renews', {
              interval: perInterval(next.price, t),
              date: format.billingDate(at),
            })}
          </span>
        </p>
      )}
      {at !== undefined && isOwner && <PaidWith />}
      {at !== undefined && !isOwner && (
        <p className="text-small text-soft wrap-anywhere">
          {owner && t('home.payment.paidBy', { name: owner.name })}
        </p>
      )}
      <Planned look="font-medium" />
    </div>
  )
}

/** The owner's card and credit, drawn at the same time so that nothing moves. */
function PaidWith() {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const cards = useCall('getPaymentMethods', { subscriptionId })
  const details = useCall('getBillingDetails', { subscriptionId })
  if (cards.isLoading || details.isLoading)
    return <Skeleton className="grid min-h-10.5 content-evenly" bones={bones} />
  const card = defaultOf(cards.data)?.card
  return (
    <div className="grid min-h-10.5 content-start">
      {card && <p className="font-medium tabular-nums">{cardName(card)}</p>}
      {card && <CardLife card={card} />}
      {cards.data && !card && <p className="text-warn">{t('billing.overview.noCard')}</p>}
      {cards.data && (!card || lifeOf(card) !== 'long') && (
        <ButtonLink
          to={`${pathTo('managePaymentMethods')}?add`}
          variant={card ? 'plain' : 'primary'}
          className="mt-3 justify-self-start"
        >
          {t('billing.cards.add')}
        </ButtonLink>
      )}
      <Credit />
    </div>
  )
}

/** The sum is in the button. Only the owner knows it, and only the owner can pay. */
function MissingPayment({ missing }: { missing: Missing }) {
  const t = useT()
  const format = useFormat()
  const { isOwner, owner, pathTo } = useProject()
  const { owed, declined, isLoading } = useOwed()
  const pay = owed
    ? t('home.payment.paySum', { amount: format.money(owed.due, owed.currency) })
    : t('home.payment.pay')
  return (
    <div className="flex h-full flex-col gap-4">
      {isOwner && isLoading ? (
        <Skeleton className="grid h-full content-between gap-4" bones={['h-9', 'h-9 w-28']} />
      ) : (
        <div className="grid gap-1">
          <p className="font-medium text-warn">
            {declined && missing === 'past_due'
              ? t('billing.overdue.declined', { card: cardName(declined.card) })
              : t(`home.payment.missing.${missing}`)}
          </p>
          <EndsUnlessPaid />
        </div>
      )}
      {isOwner && !isLoading && (
        <p className="mt-auto">
          <ButtonLink to={pathTo('billing')} variant="primary">
            {missing === 'past_due' ? pay : t('home.payment.confirm')}
          </ButtonLink>
        </p>
      )}
      {!isOwner && (
        <p className="text-small text-soft wrap-anywhere">
          {owner && t('home.payment.ownerPays', { name: owner.name })}
        </p>
      )}
    </div>
  )
}

const bones = ['h-3.5 w-36', 'h-3 w-24']
