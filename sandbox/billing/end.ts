import { isOwed } from '../objects/invoice.ts'
import type { Subscription } from '../objects/wire.ts'
import { change, publish } from '../events/record.ts'
import { invoicesOf } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { cancelSchedule } from './end-schedule.ts'
import { voidInvoice } from './void.ts'

export type Why = 'cancellation_requested' | 'payment_failed'

/**
 * Cancels a subscription for good. Its open invoices can still be paid but are no longer retried.
 * Its draft is still finalized and charged, unless the merchant turns `auto_advance` off. The open
 * invoice of a subscription that never became active is voided.
 */
export async function cancel(
  tx: Tx,
  subscription: Subscription,
  details: Subscription['cancellation_details'],
  canceled_at = tx.now,
): Promise<Subscription> {
  const began = subscription.status !== 'incomplete'
  const ended: Subscription = {
    ...subscription,
    canceled_at,
    cancellation_details: details,
    ended_at: tx.now,
    pending_update: null,
    status: began ? 'canceled' : 'incomplete_expired',
  }
  await publish(tx, 'customer.subscription.deleted', ended)
  await stopCollecting(tx, subscription, began)
  await cancelSchedule(tx, ended)
  return ended
}

/** Ends an incomplete subscription, because its first payment was not made in time. */
export async function expire(tx: Tx, subscription: Subscription): Promise<Subscription> {
  const expired = await change(tx, 'customer.subscription.updated', subscription, {
    canceled_at: tx.now,
    ended_at: tx.now,
    status: 'incomplete_expired',
  })
  await stopCollecting(tx, subscription, false)
  return expired
}

type Because = NonNullable<Subscription['cancellation_details']>

export function becauseOf(reason: Why, said: Partial<Because> = {}): Because {
  return { comment: null, feedback: null, feedback_option: null, ...said, reason }
}

async function stopCollecting(
  tx: Tx,
  { id, pending_update, latest_invoice }: Subscription,
  began: boolean,
) {
  for (const invoice of await invoicesOf(tx, id)) {
    if (!isOwed(invoice)) continue
    const neverOwed = !began || (pending_update && latest_invoice === invoice.id)
    if (neverOwed) await voidInvoice(tx, invoice)
    else
      await change(tx, 'invoice.updated', invoice, {
        auto_advance: false,
        next_payment_attempt: null,
      })
  }
}
