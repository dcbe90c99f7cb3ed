import { declineOf } from '../cards/behaviour.ts'
import type { PaymentMethod, SetupIntent } from '../objects/wire.ts'
import { change, publish } from '../events/record.ts'
import { ofCustomer, save } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { putOnCustomer } from './attach.ts'
import { failedWith } from './attempt.ts'

/** Attaches the card to the setup intent's customer, unless the card's bank declines it. */
export async function setUp(
  tx: Tx,
  intent: SetupIntent,
  card: PaymentMethod,
): Promise<SetupIntent> {
  const refusal = declineOf(card, tx.now)
  if (refusal) return save(tx, failedWith(intent, card, { type: 'card_error', ...refusal }))
  if (intent.customer && card.customer !== intent.customer)
    await putOnCustomer(tx, card, intent.customer)
  const done = await publish(tx, 'setup_intent.succeeded', {
    ...intent,
    last_setup_error: null,
    next_action: null,
    payment_method: card.id,
    status: 'succeeded',
  })
  if (intent.customer) await settle(tx, intent.customer, done)
  return done
}

/** The subscription that waited for this payment method, if one did, has it now. */
async function settle(tx: Tx, customer: string, { id, payment_method: card }: SetupIntent) {
  for (const subscription of await ofCustomer(tx, 'subscription', customer)) {
    if (subscription.pending_setup_intent !== id) continue
    const saves = subscription.payment_settings?.save_default_payment_method === 'on_subscription'
    await change(tx, 'customer.subscription.updated', subscription, {
      default_payment_method: saves ? card : subscription.default_payment_method,
      pending_setup_intent: null,
    })
  }
}
