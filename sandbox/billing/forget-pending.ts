import { isOwed } from '../objects/invoice.ts'
import type { Subscription } from '../objects/wire.ts'
import { record } from '../events/record.ts'
import { requireObject, save } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { voidInvoice } from './void.ts'

/** Drops the subscription's pending change, if it has one, and voids the change's invoice. */
export async function forgetPending(tx: Tx, subscription: Subscription): Promise<Subscription> {
  if (!subscription.pending_update) return subscription
  const kept = await save(tx, { ...subscription, pending_update: null })
  await record(tx, 'customer.subscription.pending_update_expired', kept)
  const invoice = kept.latest_invoice
    ? await requireObject(tx, 'invoice', kept.latest_invoice)
    : null
  if (invoice && isOwed(invoice)) await voidInvoice(tx, invoice)
  return kept
}
