import type { Intent, PaymentMethod } from '../objects/wire.ts'
import { requireObject, save, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { applyPayment } from './apply-payment.ts'
import { failedWith } from './attempt.ts'
import { charge } from './charge.ts'
import { setUp } from './set-up.ts'

/** Applies the answer to 3-D Secure, unless the intent was answered or canceled before. */
export async function authenticate(tx: Tx, type: Intent['object'], id: string, passed: boolean) {
  const intent = await lockObject(tx, type, id)
  if (intent.status !== 'requires_action' || !intent.payment_method) return intent
  const card = await requireObject(tx, 'payment_method', intent.payment_method)
  const answered = passed
    ? await goOn(tx, intent, card)
    : await save(tx, failedWith(intent, card, notAuthenticated(intent)))
  if (answered.object === 'payment_intent') await applyPayment(tx, answered)
  return answered
}

async function goOn(tx: Tx, intent: Intent, card: PaymentMethod): Promise<Intent> {
  const trusted = await save(tx, { ...card, $hidden: { ...card.$hidden, authenticated: true } })
  return intent.object === 'payment_intent'
    ? charge(tx, intent, trusted, true)
    : setUp(tx, intent, trusted)
}

function notAuthenticated({ object }: Intent) {
  const named = object === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent'
  return {
    type: 'invalid_request_error',
    code: `${object}_authentication_failure`,
    message: `The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this ${named} again.`,
  }
}
