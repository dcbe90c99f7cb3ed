import { subscriptionOf } from '../objects/invoice.ts'
import { isFree } from '../objects/subscription.ts'
import type { Invoice, Subscription } from '../objects/wire.ts'
import { change } from '../events/record.ts'
import { invoicesOf, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

/**
 * The status of a subscription whose first invoice was paid. It depends only on the latest final
 * invoice that is not voided and not that of a pending change.
 */
export async function currentStatus(
  tx: Tx,
  subscription: Subscription,
): Promise<'active' | 'past_due' | 'paused' | 'trialing'> {
  if (isFree(subscription)) return subscription.status as 'paused' | 'trialing'
  const isPending = ({ id }: Invoice) =>
    subscription.pending_update !== null && subscription.latest_invoice === id
  const final = (await invoicesOf(tx, subscription.id)).filter(
    (invoice) => invoice.status !== 'draft' && invoice.status !== 'void' && !isPending(invoice),
  )
  const finalized = ({ status_transitions }: Invoice) => status_transitions.finalized_at ?? 0
  const latest = final.reduce<Invoice | undefined>(
    (one, other) => (one && finalized(one) >= finalized(other) ? one : other),
    undefined,
  )
  return latest?.status === 'open' ? 'past_due' : 'active'
}

/** Updates the subscription's status after an invoice was voided, written off or not paid. */
export async function updateStatus(tx: Tx, invoice: Invoice) {
  const subscription = await lockObject(tx, 'subscription', subscriptionOf(invoice))
  if (subscription.status !== 'active' && subscription.status !== 'past_due') return
  await change(tx, 'customer.subscription.updated', subscription, {
    status: await currentStatus(tx, subscription),
  })
}
