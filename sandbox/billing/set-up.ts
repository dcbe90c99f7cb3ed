import { declineOf } from '../cards/behaviour.ts'
import type { PaymentMethod, SetupIntent } from '../objects/wire.ts'
import { record } from '../events/record.ts'
import { save } from '../store/objects.ts'
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
  const done: SetupIntent = {
    ...intent,
    last_setup_error: null,
    next_action: null,
    payment_method: card.id,
    status: 'succeeded',
  }
  await save(tx, done)
  await record(tx, 'setup_intent.succeeded', done)
  return done
}
