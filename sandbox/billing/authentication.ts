import { shown } from '../api/shown.ts'
import type { PaymentIntent, PaymentMethod, SetupIntent } from '../objects/wire.ts'
import { requireObject, save, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { charge } from './charge.ts'
import { applyPayment } from './apply-payment.ts'
import { setUp } from './set-up.ts'

/**
 * Applies the cardholder's answer to 3-D Secure. An intent that was answered or canceled before
 * stays as it is.
 */
export async function authenticate(
  tx: Tx,
  type: 'payment_intent' | 'setup_intent',
  id: string,
  passed: boolean,
) {
  const intent = await lockObject(tx, type, id)
  if (intent.status !== 'requires_action' || !intent.payment_method) return intent
  const card = await requireObject(tx, 'payment_method', intent.payment_method)
  if (passed) await save(tx, { ...card, $hidden: { ...card.$hidden, authenticated: true } })
  return intent.object === 'payment_intent'
    ? paymentAnswered(tx, intent, card, passed)
    : setupAnswered(tx, intent, card, passed)
}

async function paymentAnswered(
  tx: Tx,
  intent: PaymentIntent,
  card: PaymentMethod,
  passed: boolean,
): Promise<PaymentIntent> {
  const answered = passed
    ? await charge(tx, intent, await requireObject(tx, 'payment_method', card.id), true)
    : await save(tx, {
        ...intent,
        last_payment_error: notAuthenticated('payment_intent', card),
        next_action: null,
        payment_method: null,
        status: 'requires_payment_method',
      })
  await applyPayment(tx, answered)
  return answered
}

async function setupAnswered(
  tx: Tx,
  intent: SetupIntent,
  card: PaymentMethod,
  passed: boolean,
): Promise<SetupIntent> {
  if (passed) return setUp(tx, intent, await requireObject(tx, 'payment_method', card.id))
  return save(tx, {
    ...intent,
    last_setup_error: notAuthenticated('setup_intent', card),
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  })
}

function notAuthenticated(kind: 'payment_intent' | 'setup_intent', card: PaymentMethod) {
  return {
    type: 'invalid_request_error',
    code: `${kind}_authentication_failure`,
    message:
      'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this ' +
      `${kind === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent'} again.`,
    payment_method: shown(card),
  } as unknown as NonNullable<PaymentIntent['last_payment_error'] & SetupIntent['last_setup_error']>
}
