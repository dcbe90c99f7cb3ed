import type { Invoice, PaymentState } from '#contract/entities.ts'
import type Stripe from 'stripe'
import type { Ended, PlanAtProvider } from '../payments.ts'
import { idOf } from './asked.ts'
import type { Prices } from './prices.ts'

/** What a subscription has to be asked for with. */
export const expand = ['latest_invoice.confirmation_secret', 'latest_invoice.payments.data.payment.payment_intent']

/** A comment on what was ended, so that whoever hears of it later knows why, and so does the operator who looks there. */
export const changedTo = (plan: string) => `Changed to plan ${plan}`
const changedToPlan = /^Changed to plan (\S+)$/

export async function toPlan(plan: Stripe.Subscription, prices: Prices): Promise<PlanAtProvider> {
  const invoice = typeof plan.latest_invoice === 'object' && plan.latest_invoice ? plan.latest_invoice : undefined
  const [item] = plan.items.data
  const intent = invoice && intentOf(invoice)
  const state = stateOf(plan.status)
  const payment = paymentOf(plan.status, intent)
  const isChanging = plan.pending_update !== null
  const isOpen = state === 'unpaid' || payment !== 'ok' || isChanging
  return {
    id: plan.id,
    subscriptionId: plan.metadata['subscriptionId'] ?? '',
    customerId: idOf(plan.customer)!,
    priceId: await prices.nameOf(item!.price.id),
    state,
    payment,
    renews: item!.current_period_end,
    invoice: invoice && toInvoice(invoice),
    isChanging,
    declineCode: isOpen && intent?.status === 'requires_payment_method' ? declineCodeOf(intent) : undefined,
    clientSecret: isOpen && intent?.status === 'requires_action' ? invoice?.confirmation_secret?.client_secret : undefined,
    ended: state === 'ended' ? endedOf(plan) : undefined,
  }
}

export function toInvoice(invoice: Stripe.Invoice): Invoice {
  return {
    id: invoice.id,
    number: invoice.number,
    created: invoice.created,
    total: invoice.total,
    currency: invoice.currency,
    status: (invoice.status as Invoice['status'] | null) ?? 'draft',
    hosted_invoice_url: invoice.hosted_invoice_url ?? null,
    invoice_pdf: invoice.invoice_pdf ?? null,
    next_payment_attempt: invoice.next_payment_attempt,
  }
}

function stateOf(status: Stripe.Subscription.Status): PlanAtProvider['state'] {
  if (status === 'incomplete') return 'unpaid'
  return status === 'canceled' || status === 'incomplete_expired' ? 'ended' : 'active'
}

function paymentOf(status: Stripe.Subscription.Status, intent: Stripe.PaymentIntent | undefined): PaymentState {
  if (status !== 'past_due' && status !== 'unpaid') return 'ok'
  return intent?.status === 'requires_action' ? 'action_required' : 'past_due'
}

function endedOf({ cancellation_details: details }: Stripe.Subscription): Ended {
  const plan = details?.comment?.match(changedToPlan)?.[1]
  if (plan !== undefined) return { because: 'changed', changedTo: plan }
  return { because: details?.reason === 'payment_failed' ? 'unpaid' : 'asked' }
}

function intentOf(invoice: Stripe.Invoice) {
  const intent = invoice.payments?.data[0]?.payment.payment_intent
  return typeof intent === 'object' ? intent : undefined
}

function declineCodeOf({ last_payment_error: error }: Stripe.PaymentIntent) {
  if (error?.code === 'payment_intent_authentication_failure') return 'authentication_required'
  return error?.decline_code ?? error?.code ?? 'generic_decline'
}
