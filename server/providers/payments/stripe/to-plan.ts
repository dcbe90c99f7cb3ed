import type { PaymentState } from '#contract/entities.ts'
import type Stripe from 'stripe'
import type { ProviderInvoice } from '../../../store/invoices.ts'
import type { Ended, ProviderSubscription } from '../payments.ts'
import { asked, idOf } from './asked.ts'
import { listOpen } from './open-invoices.ts'
import type { Prices } from './prices.ts'

/** What a subscription has to be asked for with. A payment's intent would be a fifth level, and Stripe expands four. */
export const expand = ['customer', 'latest_invoice.payments']

/** A comment on what was ended, so that a later reading knows why, and so does the operator who looks there. */
export const changedTo = (plan: string) => `Changed to plan ${plan}`
const changedToPlan = /^Changed to plan (\S+)$/

type How = {
  /** An older invoice may be open, though the plan is as well as its newest one. */
  mayOweMore?: boolean
}

export async function toPlan(
  stripe: Stripe,
  plan: Stripe.Subscription,
  prices: Prices,
  { mayOweMore = false }: How = {},
): Promise<ProviderSubscription> {
  const newest =
    typeof plan.latest_invoice === 'object' && plan.latest_invoice ? plan.latest_invoice : undefined
  const [item] = plan.items.data
  const state = stateOf(plan.status)
  const isChanging = plan.pending_update !== null
  const isBehind = plan.status === 'past_due' || plan.status === 'unpaid'
  const overdue =
    isBehind || (mayOweMore && state === 'active') ? await findOverdue(stripe, plan) : undefined
  const isOwing = isBehind || overdue !== undefined
  const isWaiting = state === 'unpaid' || isChanging
  const toPay = isWaiting ? newest : (overdue ?? (isBehind ? newest : undefined))
  const intent = toPay && (await findIntent(stripe, toPay))
  const needsCard = intent?.status === 'requires_payment_method'
  const clientSecret =
    intent?.status === 'requires_action' ? (intent.client_secret ?? undefined) : undefined
  return {
    id: plan.id,
    subscriptionId: plan.metadata['subscriptionId'] ?? '',
    customerId: idOf(plan.customer)!,
    priceId: await prices.nameOf(item!.price.id),
    state,
    payment: isUnplaced(newest) ? 'past_due' : isOwing ? paymentOf(intent) : 'ok',
    renews: item!.current_period_end,
    weekly: item!.price.unit_amount ?? 0,
    currency: plan.currency,
    ends: plan.cancel_at ?? (plan.cancel_at_period_end ? item!.current_period_end : undefined),
    isPaused: plan.pause_collection !== null || plan.status === 'paused',
    hasCard: hasCard(plan),
    newCard: newCardOf(plan),
    invoice: newest && toInvoice(newest),
    isChanging,
    isProcessing:
      intent !== undefined &&
      !needsCard &&
      clientSecret === undefined &&
      intent.status !== 'canceled',
    declineCode: needsCard ? declineCodeOf(intent) : undefined,
    clientSecret,
    ended: state === 'ended' ? endedOf(plan) : undefined,
  }
}

/** The oldest invoice that was tried and is not paid; that of a change that waits for its buyer is none. */
async function findOverdue(stripe: Stripe, plan: Stripe.Subscription) {
  const open = await listOpen(stripe, plan.id)
  return open.find(
    ({ id, attempted }) => attempted && !(plan.pending_update && id === idOf(plan.latest_invoice)),
  )
}

/** The project that an invoice is for. */
export function projectOf({ parent }: Stripe.Invoice) {
  return parent?.subscription_details?.metadata?.['subscriptionId']
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
  return (
    typeof customer === 'object' &&
    !customer.deleted &&
    customer.invoice_settings.default_payment_method !== null
  )
}

function newCardOf({ default_payment_method: own, customer }: Stripe.Subscription) {
  if (own === null || typeof customer !== 'object' || customer.deleted) return undefined
  return idOf(own) === idOf(customer.invoice_settings.default_payment_method)
    ? undefined
    : idOf(own)
}

function stateOf(status: Stripe.Subscription.Status): ProviderSubscription['state'] {
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
