import { hour } from '../objects/due-at.ts'
import { asksCardholder, chargeFailureOf, declineOf, answersLater } from '../cards/behaviour.ts'
import type { CardProblem } from '../rules/errors.ts'
import { newCharge } from '../objects/charge.ts'
import type { PaymentIntent, PaymentMethod } from '../objects/wire.ts'
import { forcedOutcome } from '../control/settings.ts'
import { save } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { putOnCustomer } from './attach.ts'
import { failedWith, waitForCardholder } from './attempt.ts'

/** How long a slow bank takes to answer, in seconds. */
const settlesAfter = 12 * hour

/** Tries once to charge a card. `authenticated`: the cardholder has just passed 3-D Secure. */
export async function charge(
  tx: Tx,
  intent: PaymentIntent,
  card: PaymentMethod | null,
  authenticated = false,
): Promise<PaymentIntent> {
  if (!card) return intent
  const refusal = declineOf(card, tx.now)
  if (refusal) return failed(tx, intent, card, refusal)
  if (!authenticated && asksCardholder(card))
    return save(
      tx,
      waitForCardholder(tx, { ...intent, payment_method: card.id, last_payment_error: null }),
    )
  const outcome = chargeFailureOf(card) ?? (await forcedOutcome(tx, intent.customer))
  if (outcome === 'processing' || answersLater(card)) return processing(tx, intent, card)
  if (outcome) return failed(tx, intent, card, outcome)
  if (intent.setup_future_usage && !card.customer) await putOnCustomer(tx, card, intent.customer)
  return taken(tx, { ...intent, payment_method: card.id }, card)
}

/** Creates a successful charge and completes its intent. */
export async function taken(
  tx: Tx,
  intent: PaymentIntent,
  card: PaymentMethod,
): Promise<PaymentIntent> {
  const { id: latest_charge } = await save(tx, newCharge(intent, card, tx.now))
  return save(tx, {
    ...intent,
    latest_charge,
    amount_received: intent.amount,
    last_payment_error: null,
    next_action: null,
    processing: null,
    status: 'succeeded',
  })
}

function processing(
  tx: Tx,
  intent: PaymentIntent,
  { id, type }: PaymentMethod,
): Promise<PaymentIntent> {
  return save(tx, {
    ...intent,
    last_payment_error: null,
    next_action: null,
    payment_method: id,
    processing: type === 'card' ? { type } : null,
    status: 'processing',
    $hidden: { ...intent.$hidden, settlesAt: tx.now + settlesAfter },
  })
}

function failed(tx: Tx, intent: PaymentIntent, card: PaymentMethod, problem: CardProblem) {
  return save(tx, failedWith(intent, card, { type: 'card_error', ...problem }))
}
