import type { EpochSeconds } from '#contract/entities.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useCall } from '../../api/queries.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { cardName, defaultOf, expiry, lifeOf } from './card-words.ts'
import { weeklyPrice } from './weekly-price.ts'

/** The next payment or the end of the plan. The owner also sees the card and the credit. */
export function NextPayment({ at }: { at: EpochSeconds }) {
  const t = useT()
  const format = useFormat()
  const { subscription, plan, isOwner } = useProject()
  const { ends, is_paused: isPaused } = subscription
  const isPaid = !isPaused && (ends === null || ends > at)
  return (
    <div className="border-t border-line pt-4">
      {isPaused && <p className="font-medium">{t('billing.overview.paused')}</p>}
      {isPaid && (
        <p className="font-medium tabular-nums">
          {t('billing.overview.nextPayment', {
            amount: weeklyPrice(subscription, plan),
            date: format.date(at),
          })}
        </p>
      )}
      {ends !== null && (
        <p className="font-medium tabular-nums">
          {t('billing.overview.ends', { date: format.date(ends) })}
        </p>
      )}
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

/** Two lines high in every state, so that nothing moves when the card is loaded. */
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
