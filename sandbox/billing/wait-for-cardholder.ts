import type { PaymentIntent, SetupIntent } from '../objects/wire.ts'
import type { Tx } from '../store/tx.ts'

/** The intent, waiting for the cardholder to pass 3-D Secure on the sandbox's page. */
export function waitForCardholder<T extends PaymentIntent | SetupIntent>(tx: Tx, intent: T): T {
  const url = `${tx.merchant.publicUrl}/sandbox/authenticate/${intent.id}?client_secret=${intent.client_secret}`
  const redirect_to_url = { return_url: intent.$hidden.returnUrl, url }
  return {
    ...intent,
    status: 'requires_action',
    next_action: { type: 'redirect_to_url', redirect_to_url },
  }
}
