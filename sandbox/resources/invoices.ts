import { z } from 'zod'
import { cardError, invalid, refused } from '../rules/errors.ts'
import { reading, pageOf, pageParams } from '../api/pages.ts'
import { flag, text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { cardOf } from '../billing/attach.ts'
import { problemOf } from '../billing/attempt.ts'
import { autoAdvance, collect, finalize, defaultCard } from '../billing/bill.ts'
import { expire } from '../billing/end.ts'
import { updateStatus } from '../billing/subscription-status.ts'
import { forgetPending, voidInvoice, writeOff } from '../billing/void.ts'
import { subscriptionOf } from '../objects/invoice.ts'
import type { Invoice } from '../objects/wire.ts'
import { refusals } from '../rules/refusals.ts'
import { requireObject, lockObject } from '../store/objects.ts'

const statuses = z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])
const { created: _created, ...paging } = pageParams

const advancing = { auto_advance: flag.optional() }
const paying = { payment_method: text.optional(), off_session: flag.optional() }

export const invoices = [
  ...reading('invoice', '/invoices', { customer: text, subscription: text, status: statuses }),
  route('GET', '/invoices/:id/lines', paging, async ({ tx, id, input }) => {
    const { lines } = await requireObject(tx, 'invoice', id)
    return pageOf(lines.data, lines.url, input)
  }),
  route('POST', '/invoices/:id', advancing, async ({ tx, id, input: { auto_advance } }) => {
    const invoice = await lockObject(tx, 'invoice', id)
    return auto_advance === undefined ? invoice : autoAdvance(tx, invoice, auto_advance)
  }),
  route('POST', '/invoices/:id/finalize', advancing, async ({ tx, id, input }) => {
    const invoice = await lockObject(tx, 'invoice', id)
    if (invoice.status !== 'draft')
      throw invalid("This invoice is already finalized, you can't re-finalize a non-draft invoice.")
    const open = await finalize(tx, {
      ...invoice,
      auto_advance: input.auto_advance ?? invoice.auto_advance,
    })
    return open.auto_advance ? (await collect(tx, open)).invoice : open
  }),
  route('POST', '/invoices/:id/pay', paying, async ({ tx, id, input }) => {
    const invoice = await lockObject(tx, 'invoice', id)
    if (invoice.status === 'paid') throw refused(refusals.alreadyPaid)
    if (invoice.status === 'void') throw invalid('This invoice is void and cannot be paid.')
    const card = input.payment_method
      ? await cardOf(tx, invoice.customer, input.payment_method, 'payment_method')
      : await defaultCard(tx, invoice)
    if (!card)
      throw invalid('Cannot charge a customer that has no default payment method.', {
        code: 'resource_missing',
      })
    const { invoice: tried, intent } = await collect(
      tx,
      invoice.status === 'draft' ? await finalize(tx, invoice) : invoice,
      card,
    )
    if (tried.status === 'paid') return tried
    if (intent?.status === 'requires_action') {
      const message =
        'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.'
      throw cardError({ code: 'invoice_payment_intent_requires_action', message }, {}, true)
    }
    throw cardError(problemOf(intent), {}, true)
  }),
  route('POST', '/invoices/:id/void', {}, async ({ tx, id }) => {
    const invoice = await lockObject(tx, 'invoice', id)
    if (invoice.status === 'paid') throw refused(refusals.paidNotVoided)
    if (invoice.status !== 'open') throw refused(refusals.notOpen)
    const subscription = await requireObject(tx, 'subscription', subscriptionOf(invoice))
    if (subscription.status === 'incomplete') await expire(tx, subscription)
    else if (subscription.pending_update && subscription.latest_invoice === id)
      await forgetPending(tx, subscription)
    else await updateStatus(tx, await voidInvoice(tx, invoice))
    return requireObject(tx, 'invoice', id)
  }),
  route('POST', '/invoices/:id/mark_uncollectible', {}, async ({ tx, id }) => {
    const invoice = await lockObject(tx, 'invoice', id)
    if (invoice.status === 'uncollectible') throw refused(refusals.markedBefore)
    if (invoice.status !== 'open') throw refused(refusals.notOpen)
    await updateStatus(tx, await writeOff(tx, invoice))
    return requireObject(tx, 'invoice', id)
  }),
]

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
