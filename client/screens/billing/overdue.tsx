import { limits } from '#config/limits.ts'
import type { CallOutput } from '#contract/calls.ts'
import type { Invoice, Owed, PaymentMethod, PaymentState } from '#contract/entities.ts'
import { useContext, useId, useRef, useState } from 'react'
import { tellOfChange } from '../../api/call.ts'
import { useCall } from '../../api/queries.ts'
import { Badge, Card } from '../../components/card.tsx'
import { CardMark } from '../../components/card-mark.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { Message, Problem } from '../../components/message.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextLink } from '../../components/button.tsx'
import { FieldError, FormErrors, textOf } from '../../components/fields.tsx'
import { firstPage } from '../../components/use-query.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { forgetToasts } from '../../platform/toasts.ts'
import { useProject } from '../../layouts/use-project.ts'
import { settle } from '../../providers/payments/payments.ts'
import { CardLife } from './card-life.tsx'
import { cardName, defaultOf, lifeOf } from './card-words.ts'
import { useOwed } from './use-owed.ts'
import type { Payment } from './next-payment.tsx'

/** Shows what is overdue and what happens next. The owner can pay it here. */
export function Overdue({ onPaid }: { onPaid: (payment: Payment) => void }) {
  const t = useT()
  const { subscriptionId, isOwner } = useProject()
  const { owed, isLoading } = useOwed()
  const invoices = useCall('listInvoices', { subscriptionId, ...firstPage })
  const found = (status: Invoice['status']) =>
    invoices.data?.invoices.find((invoice) => invoice.status === status)
  // An invoice that the provider can't finalize stays a draft.
  const owing = found('open') ?? found('draft')
  // The provider has the payment already, of an earlier try say, and the project's row not yet.
  const isPaid = owed === null && owing?.status === 'open'
  return (
    <Card title={t('billing.overdue.title')}>
      <div className="grid gap-5">
        {invoices.isLoading || isLoading ? (
          <Skeleton
            className="grid h-17 content-evenly"
            bones={['h-4 w-3/5', 'h-3.5 w-2/5', 'h-3.5 w-4/5']}
          />
        ) : (
          <OwedSum invoice={owing} />
        )}
        {isOwner ? (
          <PayNow isPaid={isPaid} onPaid={onPaid} />
        ) : (
          <p className="text-soft">{t('billing.overdue.ownerPays')}</p>
        )}
      </div>
    </Card>
  )
}

/** Shows that the trial is over and until when the project waits. The owner can start it again. */
export function TrialOver({ onPaid }: { onPaid: (payment: Payment) => void }) {
  const t = useT()
  const format = useFormat()
  const { subscription, isOwner } = useProject()
  const until = subscription.look_only?.until
  return (
    <Card title={t('billing.overdue.trialTitle')}>
      <div className="grid gap-5">
        {until && <p>{t('billing.overdue.trialText', { date: format.billingDate(until) })}</p>}
        {isOwner ? (
          <PayNow onPaid={onPaid} isAgain />
        ) : (
          <p className="text-soft">{t('billing.overdue.trialOwner')}</p>
        )}
      </div>
    </Card>
  )
}

/** The sum that is owed: after credit, which only the owner knows, or the invoice's total. */
function OwedSum({ invoice }: { invoice: Invoice | undefined }) {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, subscription, isOwner } = useProject()
  const { data } = useCall('getPaymentMethods', { subscriptionId }, { enabled: isOwner })
  const { owed, declined } = useOwed()
  const due = owed?.due ?? invoice?.total
  const next = invoice?.next_payment_attempt
  const card = defaultOf(data)
  const isOther = declined && card && card.id !== declined.id
  return (
    <div className="grid gap-1">
      {invoice && due !== undefined && (
        <p className="text-lead font-semibold tabular-nums">
          {t('billing.overdue.owed', {
            amount: format.money(due, invoice.currency),
            date: format.billingDate(invoice.created),
          })}
        </p>
      )}
      <p className="text-soft">
        {t(whyNotPaid(invoice, subscription.payment, declined), {
          card: declined ? cardName(declined.card) : '',
        })}
      </p>
      {invoice?.status === 'open' && (
        <p className="text-soft">
          {next
            ? t(isOther ? 'billing.overdue.nextTryWith' : 'billing.overdue.nextTry', {
                date: format.billingDate(next),
                card: card ? cardName(card.card) : '',
              })
            : t('billing.overdue.noNextTry')}
        </p>
      )}
      <EndsUnlessPaid />
    </div>
  )
}

/** Says when the project ends if the oldest open invoice stays unpaid. */
export function EndsUnlessPaid() {
  const t = useT()
  const format = useFormat()
  const { subscriptionId } = useProject()
  const { data, isLoading } = useCall('listInvoices', { subscriptionId, ...firstPage })
  if (isLoading)
    return <Skeleton className="grid min-h-10.5 content-evenly" bones={['h-3.5 w-4/5']} />
  const oldest = data?.invoices.findLast(({ status }) => status === 'open')
  if (!oldest) return null
  const date = format.dateTime(oldest.created + limits.unpaid.ends / 1000)
  return <p className="text-soft">{t('billing.overdue.ends', { date })}</p>
}

function whyNotPaid(
  invoice: Invoice | undefined,
  payment: PaymentState,
  declined: Owed['declined'] | undefined,
) {
  if (invoice?.status === 'draft') return 'errors.taxLocationInvalid'
  if (payment !== 'past_due') return 'billing.overdue.unconfirmed'
  return declined ? 'billing.overdue.declined' : 'billing.overdue.refused'
}

type PayNowProps = {
  /** The provider has the payment already. */
  isPaid?: boolean
  /** After a trial that is over. */
  isAgain?: boolean
  onPaid: (payment: Payment) => void
}

const pay = { sum: 'billing.overdue.paySum', any: 'billing.overdue.pay' } as const
const again = { sum: 'billing.overdue.againFor', any: 'billing.overdue.again' } as const

function PayNow({ isPaid = false, isAgain = false, onPaid }: PayNowProps) {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, pathTo } = useProject()
  const [isProcessing, setProcessing] = useState(false)
  const { data, error, refetch } = useCall('getPaymentMethods', { subscriptionId })
  const { owed, isLoading } = useOwed()
  const paying = useRef<Payment>({ amount: undefined, card: undefined })
  const amount = owed ? format.money(owed.due, owed.currency) : undefined

  async function finish(payment: CallOutput<'payInvoice'>) {
    const isWaiting = await settle(subscriptionId, payment)
    // One of them may still offer to pay.
    forgetToasts()
    if (isWaiting) setProcessing(true)
    else onPaid(paying.current)
  }

  /** Names only a card other than the default one, whose bank may have a pending question. */
  function input(values: FormData) {
    const id = textOf(values, 'paymentMethodId')
    paying.current = { amount, card: data?.paymentMethods.find((card) => card.id === id)?.card }
    return { subscriptionId, ...(id !== defaultOf(data)?.id && { paymentMethodId: id }) }
  }

  const submit = isAgain ? again : pay
  if (isProcessing || isPaid)
    return <Message tone="neutral">{t('billing.overdue.processing')}</Message>
  const toCards = `${pathTo('managePaymentMethods')}?add`
  if (error && !data)
    return <Problem error={error} failed="billing.cards.loadFailed" retry={refetch} />
  if (!data || isLoading) return <Skeleton className="grid gap-4" bones={bones} />
  if (data.paymentMethods.length === 0)
    return (
      <p>
        {t('billing.overdue.noCard')} <TextLink to={toCards}>{t('billing.cards.add')}</TextLink>
      </p>
    )
  return (
    <CallForm
      call="payInvoice"
      input={input}
      onDone={finish}
      onRefused={({ reason }) => {
        // Another tab, another device or an earlier try has already paid, with whatever card.
        if (reason === 'notOverdue') onPaid({ amount: undefined, card: undefined })
        // This card is now the declined one.
        if (reason === 'notOverdue' || reason === 'cardDeclined') tellOfChange()
      }}
      check={(values) =>
        values.has('paymentMethodId') ? undefined : { paymentMethodId: 'billing.overdue.choose' }
      }
      submit={amount ? submit.sum : submit.any}
      words={amount ? { amount } : undefined}
      failed="billing.overdue.failed"
    >
      <CardChoice cards={data.paymentMethods} />
      <p>
        <TextLink to={toCards}>{t('billing.overview.addCard')}</TextLink>
      </p>
    </CallForm>
  )
}

function CardChoice({ cards }: { cards: PaymentMethod[] }) {
  const t = useT()
  const { owed, declined } = useOwed()
  const hintId = useId()
  const errorId = useId()
  const wrong = useContext(FormErrors)['paymentMethodId']
  const first = firstChoice(cards, owed)
  return (
    <fieldset aria-describedby={wrong ? errorId : cards.length > 1 ? hintId : undefined}>
      <legend className="mb-1.5 text-small font-strong">{t('billing.overdue.payWith')}</legend>
      <div className="grid divide-y divide-line rounded-notice border border-line">
        {cards.map(({ id, isDefault, card }) => (
          <label key={id} className="flex items-center gap-3 px-4 py-2.5 has-checked:font-medium">
            <input
              type="radio"
              name="paymentMethodId"
              value={id}
              defaultChecked={id === first?.id}
              className="tick"
            />
            <CardMark brand={card.brand} />
            <span className="grid">
              <span className="flex flex-wrap items-center gap-x-3">
                {cardName(card)}
                {id === declined?.id ? (
                  <Badge tone="warn">{t('billing.overdue.cardDeclined')}</Badge>
                ) : (
                  isDefault && <Badge tone="accent">{t('billing.cards.default')}</Badge>
                )}
              </span>
              <CardLife card={card} />
            </span>
          </label>
        ))}
      </div>
      {cards.length > 1 && (
        <p id={hintId} className="mt-1.5 text-small text-soft">
          {t('billing.overdue.once')}
        </p>
      )}
      <FieldError id={errorId}>{wrong}</FieldError>
    </fieldset>
  )
}

/**
 * The only card, or the first that was not declined and has not expired. The list begins with the
 * default card. As long as it is not known which card was declined, none of several is chosen.
 */
function firstChoice(cards: PaymentMethod[], owed: Owed | null | undefined) {
  if (cards.length === 1) return cards[0]
  if (owed === undefined) return undefined
  return cards.find(({ id, card }) => id !== owed?.declined?.id && lifeOf(card) !== 'over')
}

const bones = ['h-3.5 w-20', 'h-12', 'h-3.5 w-32', 'ms-auto h-10 w-24']
