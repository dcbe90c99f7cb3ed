import { z } from 'zod'
import { invalid, missing } from '../api/errors.ts'
import { flag, list, text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { withCredit } from '../billing/bill.ts'
import { billedTo } from '../billing/billed-to.ts'
import { changedItems } from '../billing/change-items.ts'
import { prorationLines, weekLines } from '../billing/lines.ts'
import { taxed } from '../billing/tax.ts'
import { newId } from '../objects/ids.ts'
import { newInvoice } from '../objects/invoice.ts'
import { isOver, newSubscription, periodOf, week } from '../objects/subscription.ts'
import type { Customer, Invoice, InvoiceLine, Subscription } from '../objects/wire.ts'
import { find } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { automaticTax, automaticTaxOf, changedItemFields, paymentSettings, prorationBehavior } from './subscription-fields.ts'

const changes = z.strictObject({
  cancel_now: flag.optional(),
  items: list(changedItemFields).optional(),
  proration_behavior: prorationBehavior,
  proration_date: whole.optional(),
})
const fields = {
  automatic_tax: automaticTax,
  customer: text.optional(),
  subscription: text.optional(),
  subscription_details: changes.optional(),
}
type Changes = z.output<typeof changes>

/** What would be invoiced, worked out by the same functions that invoice, and kept nowhere. */
export const invoicePreview = [
  route('POST', '/invoices/create_preview', fields, async ({ tx, input }) => {
    const asked = input.subscription_details ?? {}
    if (!input.subscription) return ofNewSubscription(tx, input.customer, automaticTaxOf(input.automatic_tax), asked)
    const found = await find(tx, 'subscription', input.subscription, 'subscription')
    const subscription = { ...found, automatic_tax: automaticTaxOf(input.automatic_tax, found.automatic_tax) }
    if (isOver(subscription))
      throw invalid('You cannot preview the upcoming invoice of a canceled subscription.', { code: 'invoice_upcoming_none' })
    const customer = await find(tx, 'customer', subscription.customer)
    if (input.customer && input.customer !== customer.id) throw missing('subscription', input.subscription, 'subscription')
    const invoice = await preview(tx, customer, subscription, await linesOf(tx, subscription, asked), asked)
    const subscription_proration_date = asked.proration_date ?? tx.now
    const subscription_details = { ...invoice.parent.subscription_details, subscription_proration_date }
    return { ...invoice, parent: { ...invoice.parent, subscription_details } }
  }),
]

/** Prorations for what changes now; unless those are invoiced at once, the next week as well. */
async function linesOf(tx: Tx, subscription: Subscription, asked: Changes): Promise<InvoiceLine[]> {
  const before = subscription.items.data
  const at = asked.proration_date ?? tx.now
  if (asked.cancel_now) return prorationLines(tx, before, [], at)
  const after = asked.items ? await changedItems(tx, subscription, asked.items, tx.now) : before
  const now = asked.proration_behavior === 'none' ? [] : await prorationLines(tx, before, after, at)
  return isInvoicedNow(asked) ? now : [...now, ...(await weekLines(tx, after, nextWeek(subscription)))]
}

async function preview(tx: Tx, customer: Customer, subscription: Subscription, lines: InvoiceLine[], asked: Changes): Promise<Invoice> {
  const at = isInvoicedNow(asked) ? tx.now : periodOf(subscription).end
  const period = isInvoicedNow(asked) ? { start: at, end: at } : periodOf(subscription)
  const all = await taxed(tx, subscription, customer, lines)
  const invoice = newInvoice({ subscription, customer, lines: all, reason: 'upcoming', period }, tx.account, at)
  return { ...withCredit(invoice, customer), ...(await billedTo(tx, customer)), id: newId('upcoming_in'), next_payment_attempt: at }
}

async function ofNewSubscription(
  tx: Tx,
  customerId: string | undefined,
  automatic_tax: Subscription['automatic_tax'],
  asked: Changes,
): Promise<Invoice> {
  if (!customerId || !asked.items?.length) {
    throw invalid('You must give a subscription, or a customer and subscription_details[items].', {
      code: 'parameter_missing',
      param: 'subscription',
    })
  }
  const customer = await find(tx, 'customer', customerId, 'customer')
  const given = {
    automatic_tax,
    cancel_at_period_end: false,
    currency: 'usd',
    customer: customerId,
    default_payment_method: null,
    description: null,
    metadata: {},
    test_clock: customer.test_clock,
  }
  const empty = newSubscription({ ...given, items: [], payment_settings: paymentSettings(undefined, null) }, tx.now)
  const items = (await changedItems(tx, empty, asked.items, tx.now)).map((item) => ({ ...item, current_period_end: tx.now + week }))
  const subscription = { ...empty, currency: items[0]?.price.currency ?? 'usd', items: { ...empty.items, data: items } }
  return preview(tx, customer, subscription, await weekLines(tx, items, periodOf(subscription)), { proration_behavior: 'always_invoice' })
}

function isInvoicedNow({ cancel_now, proration_behavior }: Changes): boolean {
  return cancel_now === true || proration_behavior === 'always_invoice'
}

function nextWeek(subscription: Subscription) {
  const { end } = periodOf(subscription)
  return { start: end, end: end + week }
}
