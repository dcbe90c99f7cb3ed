import type { DisputeState } from '#contract/entities.ts'
import type Stripe from 'stripe'
import { Refusal } from '../../../platform/refusal.ts'
import type { ProviderSubscriptionId } from '../../../platform/ids.ts'
import type { ProviderInvoice } from '../../../store/invoices.ts'
import type { EventObject, Payments, Refund, Unpaid } from '../payments.ts'
import { idOf, listParams, means, orUndefined } from './answers.ts'

export function invoices(stripe: Stripe, unpaid: Unpaid) {
  return {
    async findInvoice(id) {
      const invoice = await orUndefined(stripe.invoices.retrieve(id, { expand: [ofSubscription] }))
      if (!invoice) return undefined
      const { subscription } = invoice.parent?.subscription_details ?? {}
      return {
        invoice: toInvoice(invoice),
        subscriptionId: subscriptionOf(invoice),
        providerSubscriptionId: idOf(subscription) as ProviderSubscriptionId | undefined,
      }
    },

    async refundInvoice({ id, amount, attempt, by }) {
      const { payments } = await stripe.invoices.retrieve(id, { expand: ['payments'] })
      const paid = payments?.data.find(({ status }) => status === 'paid')
      const intent = idOf(paid?.payment.payment_intent)
      // An invoice that credit paid, or that was paid outside Stripe.
      if (intent === undefined) throw new Refusal('paymentRejected')
      const refund = await stripe.refunds.create(
        { payment_intent: intent, amount, ...(by !== undefined && { metadata: { operator: by } }) },
        { idempotencyKey: `${attempt}:refund` },
      )
      return toRefund(refund)
    },

    async closeInvoice(id) {
      const invoice = await orUndefined(stripe.invoices.retrieve(id))
      if (invoice) await closeInvoice(stripe, invoice, unpaid)
    },

    async findInvoiceLinks(id) {
      const { hosted_invoice_url: page, invoice_pdf: pdf } =
        (await orUndefined(stripe.invoices.retrieve(id))) ?? {}
      return page && pdf ? { page, pdf } : undefined
    },

    async findRefunds(about) {
      const id = await findInvoiceId(stripe, about)
      const invoice =
        id &&
        (await orUndefined(stripe.invoices.retrieve(id, { expand: ['payments', ofSubscription] })))
      if (!invoice) return undefined
      const intents = intentsOf(invoice)
      const [charges, made] = await Promise.all([
        Promise.all(intents.map((intent) => chargesOf(stripe, intent))),
        Promise.all(intents.map((intent) => refundsOf(stripe, intent))),
      ]).then(([charges, made]) => [charges.flat(), made.flat()] as const)
      return {
        invoice: toInvoice(invoice),
        subscriptionId: subscriptionOf(invoice),
        refunded: charges.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
        made,
        dispute: worst(await disputesOf(stripe, charges)),
      }
    },

    async *listInvoices({ of: subscription, ...page } = {}) {
      const params = { ...listParams(page), ...(subscription !== undefined && { subscription }) }
      for await (const invoice of stripe.invoices.list(params))
        yield { ...toInvoice(invoice), subscriptionId: subscriptionOf(invoice) }
    },
  } satisfies Partial<Payments>
}

/** Returns undefined if no invoice was made for the payment. */
async function findInvoiceId(stripe: Stripe, { objectType, objectId }: EventObject) {
  const { charges: charge, refunds: refund, disputes: dispute } = stripe
  const resource = { charge, refund, dispute }[objectType]
  const object =
    resource && (await orUndefined<{ payment_intent: IntentRef }>(resource.retrieve(objectId)))
  const intent = idOf(object?.payment_intent)
  if (intent === undefined) return undefined
  const { data } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intent },
    limit: 1,
  })
  return idOf(data[0]?.invoice)
}

type IntentRef = string | Stripe.PaymentIntent | null

export function intentsOf({ payments }: Stripe.Invoice) {
  return (payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent) ?? [])
}

export async function chargesOf(stripe: Stripe, intent: string) {
  return (await stripe.charges.list({ payment_intent: intent, limit: 100 })).data
}

async function refundsOf(stripe: Stripe, intent: string) {
  const { data } = await stripe.refunds.list({ payment_intent: intent, limit: 100 })
  return data.filter(({ status }) => status !== 'failed' && status !== 'canceled').map(toRefund)
}

function toRefund({ id, amount, metadata }: Stripe.Refund): Refund {
  return { id, amount, by: metadata?.['operator'] }
}

async function disputesOf(stripe: Stripe, charges: Stripe.Charge[]) {
  const disputed = charges.filter((charge) => charge.disputed)
  const found = await Promise.all(
    disputed.map(({ id }) => stripe.disputes.list({ charge: id, limit: 100 })),
  )
  return found.flatMap(({ data }) => data.map(({ status }) => ends[status] ?? 'open'))
}

/** A closed warning and a prevented dispute count as won, because they took no money. */
const ends: Partial<Record<Stripe.Dispute.Status, DisputeState>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
}

function worst(states: DisputeState[]) {
  return (['open', 'lost', 'won'] as const).find((state) => states.includes(state)) ?? null
}

const ofSubscription = 'parent.subscription_details.subscription'

/** Invoices from before a subscription was adopted name it only through the subscription itself. */
function subscriptionOf({ parent }: Stripe.Invoice) {
  const { metadata, subscription } = parent?.subscription_details ?? {}
  const present = typeof subscription === 'object' ? subscription.metadata : undefined
  return metadata?.['subscriptionId'] ?? present?.['subscriptionId']
}

export function toInvoice(invoice: Stripe.Invoice): ProviderInvoice {
  const { id, number, created, total, currency, amount_paid, next_payment_attempt } = invoice
  return {
    id,
    number,
    created,
    total,
    currency,
    status: (invoice.status as ProviderInvoice['status'] | null) ?? 'draft',
    amount_paid,
    reason: invoice.billing_reason,
    blocked: blockOf(invoice),
    next_payment_attempt,
    attempts: invoice.attempt_count,
    remaining: invoice.amount_remaining,
  }
}

/** Returns Stripe's code for why it can't finalize an invoice, or undefined. */
export function blockOf(invoice: Stripe.Invoice): string | undefined {
  const { status, last_finalization_error: error } = invoice
  return status === 'draft' && error ? (error.code ?? error.type) : undefined
}

/** The invoice of a week that has begun and is not charged yet. It is a draft for an hour. */
export function draftOf({ latest_invoice: invoice }: Stripe.Subscription) {
  return typeof invoice === 'object' && invoice?.status === 'draft' ? invoice : undefined
}

/** Lists a subscription's open invoices with their payments, oldest first. */
export async function listOpenInvoices(stripe: Stripe, subscription: string) {
  const { data } = await stripe.invoices.list({
    subscription,
    status: 'open',
    limit: 100,
    expand: ['data.payments'],
  })
  return data.toReversed()
}

/** Canceling a subscription stops the collection of finalized invoices, but not of drafts. */
export async function closeInvoice(
  stripe: Stripe,
  { id, status, billing_reason: reason }: Pick<Stripe.Invoice, 'id' | 'status' | 'billing_reason'>,
  unpaid: Unpaid,
) {
  // The invoice of a purchase or a change that failed was never owed.
  const wasOwed = reason !== 'subscription_create' && reason !== 'subscription_update'
  if (status === 'draft') await unlessFinished(stripe.invoices.update(id, { auto_advance: false }))
  else if (status === 'open' && wasOwed && unpaid === 'uncollectible')
    await unlessFinished(stripe.invoices.markUncollectible(id))
  else if (status === 'open') await voidInvoice(stripe, id)
}

export async function voidInvoice(stripe: Stripe, id: string) {
  await unlessFinished(stripe.invoices.voidInvoice(id))
}

/** Leaves an invoice unchanged if it was paid or voided a moment ago. */
async function unlessFinished(change: Promise<Stripe.Invoice>) {
  await orUndefined(change).catch((error: unknown) => {
    if (!means(error, 'notOverdue')) throw error
  })
}
