import type { PaymentState } from '#contract/entities.ts'
import type Stripe from 'stripe'
import type { Ended, PlanAtProvider, ProviderInvoice } from '../payments.ts'
import { asked, idOf } from './asked.ts'
import type { Prices } from './prices.ts'

/** What a subscription has to be asked for with. A payment's intent would be a fifth level, and Stripe expands four. */
export const expand = ['customer', 'latest_invoice.confirmation_secret', 'latest_invoice.payments']

/** A comment on what was ended, so that whoever hears of it later knows why, and so does the operator who looks there. */
export const changedTo = (plan: string) => `Changed to plan ${plan}`
const changedToPlan = /^Changed to plan (\S+)$/

export async function toPlan(stripe: Stripe, plan: Stripe.Subscription, prices: Prices): Promise<PlanAtProvider> {
  const invoice = typeof plan.latest_invoice === 'object' && plan.latest_invoice ? plan.latest_invoice : undefined
  const [item] = plan.items.data
  const state = stateOf(plan.status)
  const isChanging = plan.pending_update !== null
  const isOwing = plan.status === 'past_due' || plan.status === 'unpaid'
  const isOpen = state === 'unpaid' || isOwing || isChanging
  const intent = isOpen && invoice ? await findIntent(stripe, invoice) : undefined
  const payment = isOwing ? paymentOf(intent) : 'ok'
  return {
    id: plan.id,
    subscriptionId: plan.metadata['subscriptionId'] ?? '',
    customerId: idOf(plan.customer)!,
    priceId: await prices.nameOf(item!.price.id),
    state,
    payment: isUnplaced(invoice) ? 'past_due' : payment,
    renews: item!.current_period_end,
    weekly: item!.price.unit_amount ?? 0,
    currency: plan.currency,
    ends: plan.cancel_at ?? undefined,
    isPaused: plan.pause_collection !== null || plan.status === 'paused',
    hasCard: hasCard(plan),
    invoice: invoice && toInvoice(invoice),
    isChanging,
    declineCode: intent?.status === 'requires_payment_method' ? declineCodeOf(intent) : undefined,
    clientSecret: intent?.status === 'requires_action' ? invoice?.confirmation_secret?.client_secret : undefined,
    ended: state === 'ended' ? endedOf(plan) : undefined,
  }
}

export function toInvoice(invoice: Stripe.Invoice): ProviderInvoice {
  return {
    id: invoice.id,
    number: invoice.number,
    created: invoice.created,
    total: invoice.total,
    currency: invoice.currency,
    status: (invoice.status as ProviderInvoice['status'] | null) ?? 'draft',
    amount_paid: invoice.amount_paid,
    reason: invoice.billing_reason,
    blocked: blockOf(invoice),
    next_payment_attempt: invoice.next_payment_attempt,
  }
}

function blockOf({ status, last_finalization_error: error }: Stripe.Invoice) {
  return status === 'draft' && error ? (error.code ?? error.type) : undefined
}

/** For its owner to mend, as a card that is refused: the tax for their address can't be reckoned. */
function isUnplaced(invoice: Stripe.Invoice | undefined) {
  return invoice !== undefined && blockOf(invoice) === 'customer_tax_location_invalid'
}

function hasCard({ default_payment_method: own, customer }: Stripe.Subscription) {
  if (own !== null) return true
  return typeof customer === 'object' && !customer.deleted && customer.invoice_settings.default_payment_method !== null
}

function stateOf(status: Stripe.Subscription.Status): PlanAtProvider['state'] {
  if (status === 'incomplete') return 'unpaid'
  return status === 'canceled' || status === 'incomplete_expired' ? 'ended' : 'active'
}

function paymentOf(intent: Stripe.PaymentIntent | undefined): PaymentState {
  return intent?.status === 'requires_action' ? 'action_required' : 'past_due'
}

function endedOf({ cancellation_details: details }: Stripe.Subscription): Ended {
  const plan = details?.comment?.match(changedToPlan)?.[1]
  if (plan !== undefined) return { because: 'changed', changedTo: plan }
  return { because: details?.reason === 'payment_failed' ? 'unpaid' : 'asked' }
}

/** Of several payments of one invoice the default one is that which Stripe collects. */
async function findIntent(stripe: Stripe, invoice: Stripe.Invoice) {
  const payment = invoice.payments?.data.find(({ is_default }) => is_default)?.payment
  const id = idOf(payment?.payment_intent)
  return id === undefined ? undefined : asked(stripe.paymentIntents.retrieve(id))
}

function declineCodeOf({ last_payment_error: error }: Stripe.PaymentIntent) {
  if (error?.code === 'payment_intent_authentication_failure') return 'authentication_required'
  return error?.decline_code ?? error?.code ?? 'generic_decline'
}
