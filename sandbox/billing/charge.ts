import { shown } from '../api/shown.ts'
import { asksOwner, chargeFailureOf, declineOf } from '../cards/behaviour.ts'
import type { CardProblem } from '../api/errors.ts'
import { newCharge } from '../objects/charge.ts'
import type { PaymentIntent, PaymentMethod } from '../objects/wire.ts'
import { askedDecline } from '../control/failing-charges.ts'
import { save } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { askOwner } from './ask-owner.ts'
import { putOnCustomer } from './attach.ts'

/** One attempt to take the intent's amount from a card. `authenticated`: its owner has just passed 3-D Secure for this payment. */
export async function charge(tx: Tx, intent: PaymentIntent, card: PaymentMethod | null, authenticated = false): Promise<PaymentIntent> {
  if (!card) return intent
  const refusal = declineOf(card, tx.now)
  if (refusal) return failed(tx, intent, card, refusal)
  if (!authenticated && asksOwner(card)) return save(tx, askOwner(tx, { ...intent, payment_method: card.id, last_payment_error: null }))
  const failure = chargeFailureOf(card) ?? (await askedDecline(tx, intent.customer))
  if (failure) return failed(tx, intent, card, failure)
  if (intent.setup_future_usage && !card.customer) await putOnCustomer(tx, card, intent.customer)
  const { id: latest_charge } = await save(tx, newCharge(intent, card, tx.now))
  return save(tx, {
    ...intent,
    latest_charge,
    amount_received: intent.amount,
    last_payment_error: null,
    next_action: null,
    payment_method: card.id,
    status: 'succeeded',
  })
}

function failed(tx: Tx, intent: PaymentIntent, card: PaymentMethod, problem: CardProblem): Promise<PaymentIntent> {
  const last_payment_error = {
    type: 'card_error',
    ...problem,
    payment_method: shown(card),
  } as unknown as PaymentIntent['last_payment_error']
  return save(tx, { ...intent, last_payment_error, next_action: null, payment_method: null, status: 'requires_payment_method' })
}
