import { z } from 'zod'
import { cardError, invalid } from '../api/errors.ts'
import { matching, page, pageParams } from '../api/pages.ts'
import { flag, text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { cardOf } from '../billing/attach.ts'
import { collect, finalize, standingCard } from '../billing/bill.ts'
import { expire } from '../billing/end.ts'
import { forgiveDebt, voidInvoice } from '../billing/void.ts'
import { subscriptionOf } from '../objects/invoice.ts'
import type { Invoice } from '../objects/wire.ts'
import { find, take } from '../store/objects.ts'

const statuses = z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])
const filters = { customer: text.optional(), subscription: text.optional(), status: statuses.optional() }

export const invoices = [
  route('GET', '/invoices', { ...pageParams, ...filters }, ({ tx, input: { customer, subscription, status, ...asked } }) =>
    page(tx, 'invoice', '/v1/invoices', asked, matching({ customer, subscription, "body->>'status'": status })),
  ),
  route('GET', '/invoices/:id', {}, ({ tx, id }) => find(tx, 'invoice', id, 'invoice')),
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
      const message = 'This payment requires additional user action before it can be completed successfully.'
      throw cardError({ code: 'invoice_payment_intent_requires_action', message }, {}, true)
    }
    const { code = 'card_declined', decline_code = 'generic_decline', message = '' } = intent?.last_payment_error ?? {}
    throw cardError({ code, decline_code, message }, {}, true)
  }),
  route('POST', '/invoices/:id/void', {}, async ({ tx, id }) => {
    const invoice = await take(tx, 'invoice', id, 'invoice')
    if (invoice.status !== 'open') throw invalid(`You can only void an open invoice; this one is ${invoice.status}.`)
    const subscription = await find(tx, 'subscription', subscriptionOf(invoice))
    if (subscription.status === 'incomplete') await expire(tx, subscription)
    else await forgiveDebt(tx, await voidInvoice(tx, invoice))
    return find(tx, 'invoice', id)
  }),
]

function refuseFinished({ status }: Invoice) {
  if (status === 'paid') throw invalid('Invoice is already paid')
  if (status !== 'open' && status !== 'draft') throw invalid(`This invoice is ${status} and cannot be paid.`)
}
