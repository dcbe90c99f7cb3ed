import { shown } from '../api/shown.ts'
import type { Intent, PaymentIntent, PaymentMethod } from '../objects/wire.ts'
import type { CardProblem } from '../rules/errors.ts'
import type { Tx } from '../store/tx.ts'

/** The intent with the URL of the sandbox's page on which the cardholder must pass 3-D Secure. */
export function waitForCardholder<T extends Intent>(tx: Tx, intent: T): T {
  const url = `${tx.merchant.publicUrl}/sandbox/authenticate/${intent.id}?client_secret=${intent.client_secret}`
  const redirect_to_url = { return_url: intent.$hidden.returnUrl, url }
  return {
    ...intent,
    status: 'requires_action',
    next_action: { type: 'redirect_to_url', redirect_to_url },
  }
}

/** The intent after a failed attempt, with the error. It needs another payment method. */
export function failedWith<T extends Intent>(
  intent: T,
  card: PaymentMethod,
  problem: { type: string; code: string; message: string },
): T {
  const field = intent.object === 'payment_intent' ? 'last_payment_error' : 'last_setup_error'
  return {
    ...intent,
    [field]: { ...problem, payment_method: shown(card) },
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  }
}

/** The reason why the last attempt to pay failed. */
export function problemOf(intent: PaymentIntent | null): CardProblem {
  const {
    code = 'card_declined',
    decline_code = 'generic_decline',
    message = '',
  } = intent?.last_payment_error ?? {}
  return { code, decline_code, message }
}
