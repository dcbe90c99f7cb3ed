import { nextCharge } from '#contract/next-charge.ts'
import { priceWords } from '#contract/price-words.ts'
import { classes } from '../../components/classes.ts'
import { Message } from '../../components/message.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { sentences, useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { cardName, type Card } from './card-words.ts'
import { useNextDue } from './next-payment.tsx'

/** A formatted amount, and the card that paid it, as far as they are known. */
export type Payment = { amount: string | undefined; card: Card | undefined }

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
