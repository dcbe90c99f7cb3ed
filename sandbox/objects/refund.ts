import { newId, nulls } from './new-object.ts'
import type { Charge, Refund } from './wire.ts'

export type NewRefund = Pick<Refund, 'amount' | 'metadata' | 'reason'>

/** A refund of a charge to its card. */
export function newRefund(charge: Charge, given: NewRefund, now: number): Refund {
  return {
    id: newId('re'),
    object: 'refund',
    ...nulls(
      'balance_transaction customer_account receipt_number source_transfer_reversal',
      'transfer_reversal',
    ),
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    status: 'succeeded',
    ...given,
  }
}
