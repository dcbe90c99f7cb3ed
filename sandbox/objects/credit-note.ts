import { newId, newObject, nulls, wholeList } from './new-object.ts'
import type { CreditNote, Invoice, Refund } from './wire.ts'

export type NewCreditNote = Pick<CreditNote, 'memo' | 'metadata' | 'reason'> & {
  /** The number of credit notes that the invoice already has. */
  earlier: number
}

/** The credit note that documents a refund for an invoice. */
export function newCreditNote(
  invoice: Invoice,
  refund: Refund,
  { earlier, ...given }: NewCreditNote,
  now: number,
): CreditNote {
  const base = newObject('credit_note', 'cn', now)
  const { amount, currency } = refund
  const line = {
    id: newId('cnli'),
    object: 'credit_note_line_item' as const,
    amount,
    description: `Refund of invoice ${invoice.number}`,
    discount_amount: 0,
    discount_amounts: [],
    livemode: false,
    metadata: {},
    pretax_credit_amounts: [],
    quantity: 1,
    tax_rates: [],
    taxes: [],
    type: 'custom_line_item' as const,
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  }
  return {
    ...base,
    amount,
    amount_shipping: 0,
    currency,
    customer: invoice.customer,
    ...nulls(
      'customer_account customer_balance_transaction out_of_band_amount shipping_cost voided_at',
    ),
    discount_amount: 0,
    discount_amounts: [],
    effective_at: now,
    invoice: invoice.id,
    lines: wholeList(`/v1/credit_notes/${base.id}/lines`, [line]),
    number: `${invoice.number}-CN-${String(earlier + 1).padStart(2, '0')}`,
    // The sandbox makes no PDFs of credit notes. The invoice's PDF shows the refund.
    pdf: invoice.invoice_pdf ?? '',
    post_payment_amount: amount,
    pre_payment_amount: 0,
    pretax_credit_amounts: [],
    refunds: [
      { amount_refunded: amount, payment_record_refund: null, refund: refund.id, type: 'refund' },
    ],
    status: 'issued',
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
    total_taxes: [],
    type: 'post_payment',
    ...given,
  }
}
