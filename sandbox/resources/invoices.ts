import { z } from 'zod'
import { cardError, invalid } from '../api/errors.ts'
import { matching, page, pageOf, pageParams } from '../api/pages.ts'
import { flag, text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { cardOf } from '../billing/attach.ts'
import { collect, finalize, standingCard } from '../billing/bill.ts'
import { expire } from '../billing/end.ts'
import { forgetPending } from '../billing/renew.ts'
import { forgiveDebt, voidInvoice, writeOff } from '../billing/void.ts'
import { change } from '../events/record.ts'
import { isOwed, subscriptionOf } from '../objects/invoice.ts'
import type { Invoice } from '../objects/wire.ts'
import { find, take } from '../store/objects.ts'

const statuses = z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])
const { created: _created, ...linePage } = pageParams
const filters = { customer: text.optional(), subscription: text.optional(), status: statuses.optional() }

export const invoices = [
  route('GET', '/invoices', { ...pageParams, ...filters }, ({ tx, input: { customer, subscription, status, ...asked } }) =>
    page(tx, 'invoice', '/v1/invoices', asked, matching({ customer, subscription, "body->>'status'": status })),
  ),
  route('GET', '/invoices/:id', {}, ({ tx, id }) => find(tx, 'invoice', id, 'invoice')),
  route('POST', '/invoices/:id', { auto_advance: flag.optional() }, async ({ tx, id, input }) => {
    const invoice = await take(tx, 'invoice', id, 'invoice')
    const { auto_advance = invoice.auto_advance } = input
    const next_payment_attempt = auto_advance ? invoice.next_payment_attempt : null
    return change(tx, 'invoice.updated', invoice, { ...invoice, auto_advance, next_payment_attempt })
  }),
  route('GET', '/invoices/:id/lines', linePage, async ({ tx, id, input }) => {
    const { lines } = await find(tx, 'invoice', id, 'invoice')
    return pageOf(lines.data, lines.url, input)
  }),
  route('POST', '/invoices/:id/pay', { payment_method: text.optional(), off_session: flag.optional() }, async ({ tx, id, input }) => {
    const invoice = await take(tx, 'invoice', id, 'invoice')
    refuseFinished(invoice)
    const card = input.payment_method
      ? await cardOf(tx, invoice.customer, input.payment_method, 'payment_method')
      : await standingCard(tx, invoice)
    if (!card) throw invalid('Cannot charge a customer that has no default payment method.', { code: 'resource_missing' })
    const { invoice: tried, intent } = await collect(tx, invoice.status === 'draft' ? await finalize(tx, invoice) : invoice, card)
    if (tried.status === 'paid') return tried
    if (intent?.status === 'requires_action') {
      const message =
        'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.'
      throw cardError({ code: 'invoice_payment_intent_requires_action', message }, {}, true)
    }
    const { code = 'card_declined', decline_code = 'generic_decline', message = '' } = intent?.last_payment_error ?? {}
    throw cardError({ code, decline_code, message }, {}, true)
  }),
  route('POST', '/invoices/:id/void', {}, async ({ tx, id }) => {
    const invoice = await take(tx, 'invoice', id, 'invoice')
    if (!isOwed(invoice)) throw invalid(`You can only void an open or uncollectible invoice; this one is ${invoice.status}.`)
    const subscription = await find(tx, 'subscription', subscriptionOf(invoice))
    if (subscription.status === 'incomplete') await expire(tx, subscription)
    else if (subscription.pending_update && subscription.latest_invoice === id) await forgetPending(tx, subscription)
    else await forgiveDebt(tx, await voidInvoice(tx, invoice))
    return find(tx, 'invoice', id)
  }),
  route('POST', '/invoices/:id/mark_uncollectible', {}, async ({ tx, id }) => {
    const invoice = await take(tx, 'invoice', id, 'invoice')
    if (invoice.status !== 'open') throw invalid(`You can only mark an open invoice as uncollectible; this one is ${invoice.status}.`)
    await forgiveDebt(tx, await writeOff(tx, invoice))
    return find(tx, 'invoice', id)
  }),
]

function refuseFinished({ status }: Invoice) {
  if (status === 'paid') throw invalid('Invoice is already paid')
  if (status === 'void') throw invalid(`This invoice is ${status} and cannot be paid.`)
}
