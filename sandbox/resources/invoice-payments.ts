import { z } from 'zod'
import { pageOf, pageParams } from '../api/pages.ts'
import { text } from '../api/params.ts'
import { route } from '../api/route.ts'
import type { Invoice } from '../objects/wire.ts'

const { created: _created, ...paging } = pageParams
const filters = {
  ...paging,
  invoice: text.optional(),
  payment: z.strictObject({ type: z.literal('payment_intent'), payment_intent: text }).optional(),
  status: z.enum(['canceled', 'open', 'paid']).optional(),
}

/** Invoice payments are stored in their invoices. They name the invoice of a payment intent. */
export const invoicePayments = [
  route('GET', '/invoice_payments', filters, async ({ tx, input }) => {
    const { invoice = null, payment, status = null } = input
    const { rows } = await tx.query<{ payment: Invoice['payments']['data'][number] }>(
      `select payment from sandbox.objects, jsonb_array_elements(body#>'{payments,data}') payment
     where type = 'invoice' and ($1::text is null or id = $1) and ($2::text is null or payment#>>'{payment,payment_intent}' = $2)
       and ($3::text is null or payment->>'status' = $3)
     order by seq desc`,
      [invoice, payment?.payment_intent ?? null, status],
    )
    const payments = rows.map((row) => row.payment)
    return pageOf(payments, '/v1/invoice_payments', input)
  }),
]
