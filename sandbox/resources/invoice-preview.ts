import { z } from 'zod'
import { invalid, missing, refused } from '../rules/errors.ts'
import { address, clearable, currency, flag, list, text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { billedTo, withCredit } from '../billing/bill.ts'
import { billedChange } from '../billing/billed-change.ts'
import { changedItems, pricedItems } from '../billing/change-items.ts'
import { discounted, discountsOf, running } from '../billing/discounts.ts'
import { discountsAsked, saveDiscounts, type Buyer } from '../billing/redeem.ts'
import { atRenewal } from '../billing/phases.ts'
import { firstLines, periodLines, prorationLines } from '../billing/lines.ts'
import { taxed } from '../billing/tax.ts'
import { mergedAddress, newCustomer, refuseCombining } from '../objects/customer.ts'
import { newId } from '../objects/new-object.ts'
import { newInvoice } from '../objects/invoice.ts'
import {
  isFree,
  isOver,
  itemList,
  newSubscription,
  nextPeriodOf,
  periodOf,
  subtotalOf,
} from '../objects/subscription.ts'
import type { Customer, Invoice, InvoiceLine, Subscription } from '../objects/wire.ts'
import { refusals } from '../rules/refusals.ts'
import { requireObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import {
  automaticTax,
  automaticTaxOf,
  billingCycleAnchor,
  changedItemFields,
  discounts,
  prorationBehavior,
  trialEnd,
  trialEndOf,
} from './subscription-fields.ts'

const changes = z.strictObject({
  billing_cycle_anchor: billingCycleAnchor,
  cancel_at_period_end: flag.optional(),
  cancel_now: flag.optional(),
  items: list(changedItemFields).optional(),
  proration_behavior: prorationBehavior,
  proration_date: whole.optional(),
  resume_at: z.literal('now').optional(),
  trial_end: trialEnd,
})
const customerDetails = z.strictObject({ address: clearable(address).optional() })
const fields = {
  automatic_tax: automaticTax,
  currency: currency.optional(),
  customer: text.optional(),
  customer_details: customerDetails.optional(),
  discounts,
  subscription: text.optional(),
  subscription_details: changes.optional(),
}
type Fields = z.output<z.ZodObject<typeof fields>>
type Changes = z.output<typeof changes>

/** Previews an invoice with the functions that create invoices. Saves its new discounts alone. */
export const invoicePreview = [
  route('POST', '/invoices/create_preview', fields, async ({ tx, input }) => {
    if (!input.subscription) return ofNewSubscription(tx, input)
    const found = await requireObject(tx, 'subscription', input.subscription, 'subscription')
    const subscription = {
      ...found,
      automatic_tax: automaticTaxOf(input.automatic_tax, found.automatic_tax),
    }
    // A trial and a paused subscription keep their anchor.
    const { billing_cycle_anchor, ...others } = input.subscription_details ?? {}
    const asked = isFree(found) ? others : { ...others, billing_cycle_anchor }
    const ends = asked.cancel_at_period_end ?? subscription.cancel_at_period_end
    const stops = ends || subscription.status === 'paused'
    const endsFirst = stops && !isInvoicedNow(asked)
    if (isOver(subscription) || endsFirst)
      throw refused(refusals.noUpcomingInvoice, { customer: subscription.customer })
    const customer = await requireObject(tx, 'customer', subscription.customer)
    if (input.customer && input.customer !== customer.id)
      throw missing('subscription', input.subscription, 'subscription')
    if (input.currency) refuseCombining(customer, input.currency)
    const invoice = await preview(
      tx,
      customer,
      subscription,
      await linesOf(tx, subscription, asked, input.discounts),
      asked,
    )
    const subscription_proration_date = asked.proration_date ?? tx.now
    const subscription_details = {
      ...invoice.parent.subscription_details,
      subscription_proration_date,
    }
    return { ...invoice, parent: { ...invoice.parent, subscription_details } }
  }),
]

/** The lines for prorations, and for the next period unless prorations are invoiced at once. */
async function linesOf(
  tx: Tx,
  subscription: Subscription,
  asked: Changes,
  discountsGiven: Fields['discounts'],
): Promise<InvoiceLine[]> {
  const { currency } = subscription
  const at = asked.proration_date ?? tx.now
  if (asked.cancel_now) return prorationLines(tx, subscription, [], at, [])
  const items = await changedItems(tx, subscription, asked.items ?? [], tx.now)
  const given =
    discountsGiven === undefined
      ? undefined
      : await discountsPreviewed(tx, discountsGiven, {
          ...subscription,
          subtotal: subtotalOf(items, currency),
        })
  const trialsUntil = trialEndOf(asked.trial_end, tx.now)
  const applied = given ?? (await discountsOf(tx, subscription.discounts, tx.now))
  const { items: after, lines } = await billedChange(tx, subscription, {
    items,
    applied,
    at,
    prorates: asked.proration_behavior !== 'none',
    restartsAt: restarts(asked) ? tx.now : undefined,
    trialsUntil,
  })
  if (isInvoicedNow(asked)) return lines
  const anchor = trialsUntil ?? subscription.billing_cycle_anchor
  const changed = {
    ...subscription,
    billing_cycle_anchor: anchor,
    items: itemList(subscription.id, after),
  }
  const { renewed, applied: planned } = await atRenewal(tx, changed)
  const next = nextPeriodOf(renewed)
  await saveDiscounts(tx, planned ?? [], subscription.id)
  return [
    ...lines,
    ...discounted(
      await periodLines(tx, currency, renewed.items.data, next),
      running(given ?? planned ?? applied, next.start),
    ),
  ]
}

async function discountsPreviewed(tx: Tx, asked: Fields['discounts'], buyer: Buyer) {
  const applied = await discountsAsked(tx, asked ?? [], buyer, tx.now)
  await saveDiscounts(tx, applied, null)
  return applied
}

async function preview(
  tx: Tx,
  customer: Customer,
  subscription: Subscription,
  lines: InvoiceLine[],
  asked: Changes,
): Promise<Invoice> {
  const at = isInvoicedNow(asked) ? tx.now : periodOf(subscription).end
  const period = isInvoicedNow(asked) ? { start: at, end: at } : periodOf(subscription)
  const all = await taxed(tx, subscription, customer, lines)
  const invoice = newInvoice(
    { subscription, customer, lines: all, reason: 'upcoming', period },
    tx.merchant,
    at,
  )
  return {
    ...withCredit(invoice, customer),
    ...(await billedTo(tx, customer)),
    id: newId('upcoming_in'),
    next_payment_attempt: at,
  }
}

/** Previews the first invoice of a new subscription, for a customer id or customer details. */
async function ofNewSubscription(
  tx: Tx,
  { automatic_tax, currency: asked, discounts: codes, subscription_details, ...of }: Fields,
): Promise<Invoice> {
  const changes = subscription_details?.items
  if (!changes?.length) {
    throw invalid(
      'You must provide at least one of: `subscription`, `schedule`, `subscription_details.items`, `schedule_details.phases`, `invoice_items`.',
    )
  }
  const customer = await payer(tx, of)
  if (asked) refuseCombining(customer, asked)
  const items = await pricedItems(tx, changes, asked ?? customer.currency ?? null)
  const currency = asked ?? customer.currency ?? items[0]!.price.currency
  const applied = await discountsPreviewed(tx, codes, {
    currency,
    customer: customer.id,
    discounts: [],
    subtotal: subtotalOf(items, currency),
  })
  const given = {
    automatic_tax: automaticTaxOf(automatic_tax),
    currency,
    customer: customer.id,
    items,
    test_clock: customer.test_clock,
    trial_end: trialEndOf(subscription_details?.trial_end, tx.now) ?? null,
  }
  const subscription = newSubscription(given, tx.now)
  const all = discounted(await firstLines(tx, subscription), given.trial_end ? [] : applied)
  return preview(tx, customer, subscription, all, { proration_behavior: 'always_invoice' })
}

async function payer(
  tx: Tx,
  { customer: id, customer_details: details }: Pick<Fields, 'customer' | 'customer_details'>,
) {
  const customer =
    id === undefined ? newCustomer(tx.now) : await requireObject(tx, 'customer', id, 'customer')
  return details?.address === undefined
    ? customer
    : { ...customer, address: mergedAddress(customer.address, details.address) }
}

function isInvoicedNow(asked: Changes) {
  const { cancel_now, proration_behavior } = asked
  return cancel_now === true || restarts(asked) || proration_behavior === 'always_invoice'
}

function restarts({ billing_cycle_anchor, resume_at, trial_end }: Changes) {
  return billing_cycle_anchor?.type === 'now' || resume_at === 'now' || trial_end === 'now'
}
