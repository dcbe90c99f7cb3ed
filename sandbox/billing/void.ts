import { intentOf } from '../objects/invoice.ts'
import type { Invoice } from '../objects/wire.ts'
import { change, record } from '../events/record.ts'
import { requireObject, save, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

/** Voids an invoice and returns the credit that was applied to it to the customer. */
export async function voidInvoice(tx: Tx, invoice: Invoice): Promise<Invoice> {
  const ended = await save(tx, {
    ...invoice,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'void' as const,
    status_transitions: { ...invoice.status_transitions, voided_at: tx.now },
  })
  await record(tx, 'invoice.voided', ended)
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
  await change(tx, 'customer.updated', customer, { ...customer, balance: customer.balance + used })
  return ended
}

/** Writes an invoice off. It is no longer charged automatically, but can still be paid. */
export async function writeOff(tx: Tx, invoice: Invoice): Promise<Invoice> {
  const ended = await save(tx, {
    ...invoice,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'uncollectible' as const,
    status_transitions: { ...invoice.status_transitions, marked_uncollectible_at: tx.now },
  })
  await record(tx, 'invoice.marked_uncollectible', ended)
  return ended
}
