import { hour } from '../objects/due-at.ts'
import { itemList, nextPeriodOf, periodOf } from '../objects/subscription.ts'
import type { Invoice, Subscription } from '../objects/wire.ts'
import { change, publish } from '../events/record.ts'
import { requireObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { becauseOf, cancel, expire } from './end.ts'
import { forgetPending } from './void.ts'
import { enterDuePhases } from './phases.ts'
import { canBeFinal, collect, draft, finalize } from './bill.ts'
import { discounted, discountsOf, idsOf } from './discounts.ts'
import { periodLines } from './lines.ts'
import { stopUnpayable, warn } from './trial.ts'
import { unplacedMessage } from './tax.ts'
import { holdDraft } from '../events/hold-draft.ts'
import { subscriptionOf } from '../objects/invoice.ts'

/** Does a subscription's due work: expires it, drops its pending change, ends it or renews it. */
export async function subscriptionDue(tx: Tx, subscription: Subscription) {
  if (subscription.status === 'incomplete') return expire(tx, subscription)
  if (subscription.pending_update && subscription.pending_update.expires_at <= tx.now)
    return forgetPending(tx, subscription)
  if (periodOf(subscription).end > tx.now) return warn(tx, subscription)
  if (subscription.cancel_at_period_end) {
    const { cancellation_details, canceled_at } = subscription
    return cancel(tx, subscription, cancellation_details, canceled_at ?? tx.now)
  }
  const present = await enterDuePhases(tx, subscription)
  return (await stopUnpayable(tx, present)) ?? renew(tx, present)
}

/** Begins the next period. Its invoice is a draft until an hour after its webhook was delivered. */
async function renew(tx: Tx, subscription: Subscription) {
  const period = nextPeriodOf(subscription)
  const items = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: period.start,
    current_period_end: period.end,
  }))
  const customer = await requireObject(tx, 'customer', subscription.customer)
  const applied = await discountsOf(tx, subscription.discounts, period.start)
  const lines = discounted(await periodLines(tx, subscription.currency, items, period), applied)
  const invoice = await draft(
    tx,
    { subscription, customer, lines, reason: 'subscription_cycle', period: periodOf(subscription) },
    tx.now + hour,
  )
  const renewed = {
    ...subscription,
    discounts: idsOf(applied),
    items: itemList(subscription.id, items),
    latest_invoice: invoice.id,
    status: subscription.status === 'trialing' ? ('active' as const) : subscription.status,
  }
  await change(tx, 'customer.subscription.updated', subscription, renewed)
}

/** Finalizes a draft or charges an open invoice again. Its last failure ends the subscription. */
export async function invoiceDue(tx: Tx, invoice: Invoice) {
  if (invoice.status === 'draft' && (await holdDraft(tx, invoice))) return
  if (
    invoice.status === 'draft' &&
    !canBeFinal(invoice, await requireObject(tx, 'customer', invoice.customer))
  )
    return stayDraft(tx, invoice)
  const open = invoice.status === 'draft' ? await finalize(tx, invoice) : invoice
  const { invoice: tried } = await collect(tx, open)
  if (tried.status !== 'open' || tried.next_payment_attempt !== null) return
  const subscription = await requireObject(tx, 'subscription', subscriptionOf(tried))
  if (subscription.status === 'past_due')
    await cancel(tx, subscription, becauseOf('payment_failed'))
}

/** Keeps the draft until the merchant corrects the customer's address and finalizes it. */
async function stayDraft(tx: Tx, invoice: Invoice) {
  await publish(tx, 'invoice.finalization_failed', {
    ...invoice,
    automatic_tax: { ...invoice.automatic_tax, status: 'requires_location_inputs' },
    automatically_finalizes_at: null,
    last_finalization_error: {
      code: 'customer_tax_location_invalid',
      message: unplacedMessage,
      type: 'invalid_request_error',
    },
  })
}
