import { intentOf, isOwed } from '../objects/invoice.ts'
import type { Invoice, Subscription } from '../objects/wire.ts'
import { change, publish } from '../events/record.ts'
import { requireObject, save, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

/** Voids an invoice and returns the credit that was applied to it to the customer. */
export async function voidInvoice(tx: Tx, invoice: Invoice): Promise<Invoice> {
  const times = { voided_at: tx.now }
  const ended = await publish(tx, 'invoice.voided', uncollected(invoice, 'void', times))
  const id = intentOf(invoice)
  if (id) {
    const intent = await requireObject(tx, 'payment_intent', id)
    await save(tx, {
      ...intent,
      canceled_at: tx.now,
      cancellation_reason: 'void_invoice',
      next_action: null,
      status: 'canceled',
    })
  }
  const used = invoice.starting_balance - (invoice.ending_balance ?? 0)
  if (!used) return ended
  const customer = await lockObject(tx, 'customer', invoice.customer)
  await change(tx, 'customer.updated', customer, { balance: customer.balance + used })
  return ended
}

/** Writes an invoice off. It is no longer charged automatically, but can still be paid. */
export async function writeOff(tx: Tx, invoice: Invoice): Promise<Invoice> {
  const times = { marked_uncollectible_at: tx.now }
  const ended = uncollected(invoice, 'uncollectible', times)
  return publish(tx, 'invoice.marked_uncollectible', ended)
}

function uncollected(
  invoice: Invoice,
  status: 'void' | 'uncollectible',
  times: Partial<Invoice['status_transitions']>,
): Invoice {
  const status_transitions = { ...invoice.status_transitions, ...times }
  return { ...invoice, auto_advance: false, next_payment_attempt: null, status, status_transitions }
}

/** Drops the subscription's pending change, if it has one, and voids the change's invoice. */
export async function forgetPending(tx: Tx, subscription: Subscription): Promise<Subscription> {
  if (!subscription.pending_update) return subscription
  const kept = { ...subscription, pending_update: null }
  await publish(tx, 'customer.subscription.pending_update_expired', kept)
  const invoice = kept.latest_invoice
    ? await requireObject(tx, 'invoice', kept.latest_invoice)
    : null
  if (invoice && isOwed(invoice)) await voidInvoice(tx, invoice)
  return kept
}
