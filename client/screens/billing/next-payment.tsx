import type { EpochSeconds, PaymentMethod } from '#contract/entities.ts'
import { nextCharge } from '#contract/next-charge.ts'
import { priceWords } from '#contract/price-words.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useCall } from '../../api/queries.ts'
import { TextLink } from '../../components/button.tsx'
import { Message } from '../../components/message.tsx'
import { Bone } from '../../components/skeleton.tsx'
import { useFormat, sentences } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { cardName, defaultOf, expiry, lifeOf } from './card-words.ts'
import { Planned } from './planned.tsx'
import { ownPrice } from './plans.ts'
import { classes } from '../../components/classes.ts'

/**
 * Shows the next payment, or what is planned instead. The owner also sees the card and the credit,
 * except while a payment is overdue: the card that pays it becomes the default card.
 */
export function NextPayment({ at }: { at: EpochSeconds }) {
  const t = useT()
  const format = useFormat()
  const { subscription, isOwner } = useProject()
  const { is_paused: isPaused, payment, trial_ends: trialEnds } = subscription
  const isPaid = nextCharge(subscription) !== undefined
  const isOverdue = payment !== 'ok'
  const next = useNextDue()
  const paidTitle = isOverdue ? 'billing.overview.afterTitle' : 'billing.overview.nextTitle'
  return (
    <div className="grid content-start gap-1.5">
      <h3 className="text-soft">{t(isPaid ? paidTitle : 'billing.overview.payments')}</h3>
      {trialEnds !== null && (
        <p className="font-medium text-good">
          {t('billing.overview.trial', { date: format.billingDate(trialEnds) })}
        </p>
      )}
      <div className="text-lead font-semibold tabular-nums">
        {isPaused && <p>{t('billing.overview.paused')}</p>}
        {isPaid && next.isLoading && <Bone className="my-1 h-4 w-40" />}
        {isPaid && !next.isLoading && (
          <p>
            {t(nextWords(next), {
              amount: next.amount,
              price: priceWords(next.price, t),
              date: format.billingDate(at),
            })}
          </p>
        )}
      </div>
      {isOwner && isPaid && !isOverdue && <CardProblem />}
      {isOwner && isPaid && !isOverdue && <Credit />}
      <Planned look={isPaid ? 'font-medium' : 'text-lead font-semibold'} />
    </div>
  )
}

/**
 * What the next payment takes from the card, with tax and after credit. Only the owner knows it; for
 * others, and after an overdue payment, it is the project's price, and not `isExact`.
 */
export function useNextDue() {
  const format = useFormat()
  const { subscriptionId, subscription, plan, isOwner } = useProject()
  const isKnown = isOwner && subscription.payment === 'ok' && nextCharge(subscription) !== undefined
  const { data, isLoading } = useCall('getBillingDetails', { subscriptionId }, { enabled: isKnown })
  const due = isKnown ? data?.next?.due : undefined
  const { renews, next_plan: next } = subscription
  const price = (next?.at === renews && next?.price) || ownPrice(subscription, plan)
  const amount = format.money(due ?? price.amount, price.currency)
  return { amount, price, isExact: due !== undefined, isFree: due === 0, isLoading }
}

/** A price is not told as a payment: tax, or credit, may make another sum of it. */
function nextWords({ isExact, isFree }: ReturnType<typeof useNextDue>) {
  if (isFree) return 'billing.overview.nextFree'
  return isExact ? 'billing.overview.next' : 'plans.renews'
}

/** The project's credit, which pays before the card does. Draws nothing without any. */
export function Credit() {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, subscription, plan } = useProject()
  const { data } = useCall('getBillingDetails', { subscriptionId })
  if (!data?.credit) return null
  return (
    <p className="text-small text-soft">
      {t('billing.overview.credit', {
        amount: format.money(data.credit, ownPrice(subscription, plan).currency),
      })}
    </p>
  )
}

/** Warns of a card that is missing or ends soon. The card itself stands below. */
function CardProblem() {
  const t = useT()
  const { subscriptionId, subscription } = useProject()
  const isTrial = subscription.trial_ends !== null
  const { data } = useCall('getPaymentMethods', { subscriptionId })
  // The card's row says so if it can't be read.
  if (!data) return null
  const card = defaultOf(data)?.card
  if (!card)
    return (
      isTrial && (
        <p>
          {t('billing.overview.trialNoCard')} <ToCards says="billing.cards.add" />
        </p>
      )
    )
  const life = lifeOf(card)
  if (life === 'long') return null
  return (
    <p className="text-small font-medium text-warn">
      {t(`billing.overview.life.${life}`, { expiry: expiry(card) })}{' '}
      <ToCards says="billing.overview.addCard" />
    </p>
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

/** A formatted amount, and the card that paid it, as far as they are known. */
export type Payment = { amount: string | undefined; card: PaymentMethod['card'] | undefined }

type PaidProps = Payment & {
  /** Says that the payment worked if the amount or the card is not known. */
  otherwise: string
  isReceiptMailed?: boolean
}

/** Says what was paid with which card, and what is charged next. */
export function Paid({ amount, card, otherwise, isReceiptMailed = false }: PaidProps) {
  const t = useT()
  const format = useFormat()
  const { subscription } = useProject()
  const next = useNextDue()
  const at = nextCharge(subscription)
  const texts = [
    at !== undefined &&
      t(next.isExact || next.isLoading ? 'billing.paid.next' : 'billing.paid.renews', {
        amount: next.amount,
        price: priceWords(next.price, t),
        date: format.billingDate(at),
      }),
    isReceiptMailed && t('project.receipt'),
  ].filter((text) => text !== false)
  return (
    <Message
      tone="good"
      title={amount && card ? t('billing.paid.with', { amount, card: cardName(card) }) : otherwise}
    >
      {texts.length > 0 && (
        // Until the next payment is known, the price keeps its place.
        <span className={classes(next.isLoading && 'invisible')}>{sentences(t, ...texts)}</span>
      )}
    </Message>
  )
}
