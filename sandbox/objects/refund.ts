import { newId } from './ids.ts'
import type { Charge, Refund } from './wire.ts'

export type NewRefund = Pick<Refund, 'amount' | 'metadata' | 'reason'>

/** A refund of a charge to its card. */
export function newRefund(charge: Charge, given: NewRefund, now: number): Refund {
  return {
    id: newId('re'),
    object: 'refund',
    balance_transaction: null,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
    ...given,
  }
}
