import { day } from '../objects/due-at.ts'
import { intentOf, isOwed, subscriptionOf } from '../objects/invoice.ts'
import { isOver } from '../objects/subscription.ts'
import type { Invoice, PaymentIntent, Subscription } from '../objects/wire.ts'
import { taken } from './charge.ts'
import { change, record } from '../events/record.ts'
import { requireObject, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { discountsOf, idsOf, lasting } from './discounts.ts'
import { countRedemptions } from './redeem.ts'
import { splitPhase } from './split-phase.ts'
import { withPending } from './pending-update.ts'
import { updateStatus, currentStatus } from './subscription-status.ts'

/** How often an unpaid invoice is charged again within two weeks. This is Stripe's default. */
const retries = 8
const retriedFor = 14 * day

/** Updates the invoice and its subscription after an attempt to pay the intent. */
export async function applyPayment(tx: Tx, intent: PaymentIntent): Promise<Invoice> {
  const invoice = await lockObject(tx, 'invoice', intent.$hidden.invoice)
  if (!isOwed(invoice)) return invoice
  const tried = { ...invoice, attempted: true, attempt_count: invoice.attempt_count + 1 }
  if (intent.status === 'succeeded') return paid(tx, invoice, tried, intent)
  // The events about success or failure follow once the bank has answered.
  if (intent.status === 'processing')
    return change(tx, 'invoice.updated', invoice, { ...tried, next_payment_attempt: null })
  const unpaid = await change(tx, 'invoice.updated', invoice, {
    ...tried,
    next_payment_attempt: await nextAttempt(tx, invoice),
  })
  await record(
    tx,
    intent.status === 'requires_action'
      ? 'invoice.payment_action_required'
      : 'invoice.payment_failed',
    unpaid,
  )
  await updateStatus(tx, unpaid)
  return unpaid
}

/** Completes a processing payment, because the slow bank has agreed to pay. */
export async function paymentDue(tx: Tx, intent: PaymentIntent) {
  await applyPayment(
    tx,
    await taken(tx, intent, await requireObject(tx, 'payment_method', intent.payment_method!)),
  )
}

export async function paid(tx: Tx, before: Invoice, tried: Invoice, intent?: PaymentIntent) {
  const settled = await change(tx, 'invoice.updated', before, {
    ...tried,
    amount_paid: tried.amount_due,
    amount_remaining: 0,
    auto_advance: false,
    next_payment_attempt: null,
    payments: {
      ...tried.payments,
      data: tried.payments.data.map((payment) => ({
        ...payment,
        amount_paid: payment.amount_requested,
        status: 'paid',
        status_transitions: { canceled_at: null, paid_at: tx.now },
      })),
    },
    status: 'paid',
    status_transitions: { ...tried.status_transitions, paid_at: tx.now },
  })
  await record(tx, 'invoice.paid', settled)
  await subscriptionPaid(tx, settled, intent)
  return settled
}

async function subscriptionPaid(tx: Tx, invoice: Invoice, intent: PaymentIntent | undefined) {
  const subscription = await lockObject(tx, 'subscription', subscriptionOf(invoice))
  if (isOver(subscription)) return
  const revived = { ...subscription, status: await currentStatus(tx, subscription) }
  const keepsCard = subscription.payment_settings?.save_default_payment_method === 'on_subscription'
  if (keepsCard && intent?.payment_method) revived.default_payment_method = intent.payment_method
  const waiting = waitsFor(subscription, invoice) ? subscription.pending_update : null
  const applied = waiting ? withPending(revived, waiting, tx.now) : revived
  const used = await discountsOf(tx, invoice.discounts)
  const kept = idsOf(lasting(used))
  const after: Subscription = {
    ...applied,
    discounts: applied.discounts.filter(
      (id) => !invoice.discounts.includes(id) || kept.includes(id),
    ),
  }
  if (waiting?.discounts) {
    const taken = await discountsOf(tx, waiting.discounts)
    await countRedemptions(tx, taken, subscription.discounts)
  }
  await change(tx, 'customer.subscription.updated', subscription, after)
  if (subscription.status === 'paused' && after.status !== 'paused')
    await record(tx, 'customer.subscription.resumed', after)
  if (!waiting) return
  await record(tx, 'customer.subscription.pending_update_applied', after)
  await splitPhase(tx, after)
}

/** When an invoice is charged again; never a first one, a written-off one or a pending change's. */
export async function nextAttempt(tx: Tx, invoice: Invoice): Promise<number | null> {
  const subscription = await lockObject(tx, 'subscription', subscriptionOf(invoice))
  if (
    invoice.status !== 'open' ||
    invoice.billing_reason === 'subscription_create' ||
    isOver(subscription) ||
    waitsFor(subscription, invoice)
  )
    return null
  const every = retriedFor / retries
  const next = Math.floor((tx.now - invoice.created) / every) + 1
  return next > retries ? null : invoice.created + next * every
}

function waitsFor(subscription: Subscription, invoice: Invoice): boolean {
  return (
    subscription.pending_update !== null &&
    subscription.latest_invoice === invoice.id &&
    intentOf(invoice) !== undefined
  )
}
