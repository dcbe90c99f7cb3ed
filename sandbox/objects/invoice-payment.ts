import { newObject } from './new-object.ts'
import type { Invoice, InvoicePayment, PaymentIntent } from './wire.ts'

export function newInvoicePayment(
  invoice: Invoice,
  intent: PaymentIntent,
  now: number,
): InvoicePayment {
  return {
    ...newObject('invoice_payment', 'inpay', now),
    amount_paid: null,
    amount_requested: intent.amount,
    currency: intent.currency,
    invoice: invoice.id,
    is_default: true,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }
}
