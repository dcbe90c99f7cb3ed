import { newId } from './ids.ts'
import type { Invoice, InvoicePayment, PaymentIntent } from './wire.ts'

export function newInvoicePayment(
  invoice: Invoice,
  intent: PaymentIntent,
  now: number,
): InvoicePayment {
  return {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: intent.amount,
    created: now,
    currency: intent.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }
}
