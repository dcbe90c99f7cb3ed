import { intentOf } from '../objects/invoice.ts'
import type { Invoice, Subscription } from '../objects/wire.ts'
import { change, record } from '../events/record.ts'
import { find, invoicesOf, save, take } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

export type Why = 'cancellation_requested' | 'payment_failed'

/** Ends a subscription for good. What it still owes stays owed but is never collected by itself; one that never began owes nothing. */
export async function cancel(tx: Tx, subscription: Subscription, details: Subscription['cancellation_details']): Promise<Subscription> {
  const began = subscription.status !== 'incomplete'
  const ended: Subscription = {
    ...subscription,
    canceled_at: tx.now,
    cancellation_details: details,
    ended_at: tx.now,
    pending_update: null,
    status: began ? 'canceled' : 'incomplete_expired',
  }
  await save(tx, ended)
  await record(tx, 'customer.subscription.deleted', ended)
  await stopCollecting(tx, subscription, began)
  return ended
}

/** The first payment never came. */
export async function expire(tx: Tx, subscription: Subscription): Promise<Subscription> {
  const expired = await change(tx, 'customer.subscription.updated', subscription, {
    ...subscription,
    canceled_at: tx.now,
    ended_at: tx.now,
    status: 'incomplete_expired',
  })
  await stopCollecting(tx, subscription, false)
  return expired
}

export function becauseOf(reason: Why, said: Partial<NonNullable<Subscription['cancellation_details']>> = {}) {
  return { comment: null, feedback: null, feedback_option: null, ...said, reason }
}

async function stopCollecting(tx: Tx, { id, pending_update, latest_invoice }: Subscription, began: boolean) {
  for (const invoice of await invoicesOf(tx, id)) {
    if (invoice.status !== 'open' && invoice.status !== 'draft') continue
    const neverOwed = !began || (pending_update && latest_invoice === invoice.id)
    if (neverOwed && invoice.status === 'open') await voided(tx, invoice)
    else await change(tx, 'invoice.updated', invoice, { ...invoice, auto_advance: false, next_payment_attempt: null })
  }
}

/** Nobody has to pay it any more; credit that was put to it goes back. */
export async function voided(tx: Tx, invoice: Invoice): Promise<Invoice> {
  const void_ = await save(tx, {
    ...invoice,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'void' as const,
    status_transitions: { ...invoice.status_transitions, voided_at: tx.now },
  })
  await record(tx, 'invoice.voided', void_)
  const id = intentOf(invoice)
  if (id) {
    const intent = await find(tx, 'payment_intent', id)
    await save(tx, { ...intent, canceled_at: tx.now, cancellation_reason: 'void_invoice', next_action: null, status: 'canceled' })
  }
  const used = invoice.starting_balance - (invoice.ending_balance ?? 0)
  const customer = await take(tx, 'customer', invoice.customer)
  await change(tx, 'customer.updated', customer, { ...customer, balance: customer.balance + used })
  return void_
}
