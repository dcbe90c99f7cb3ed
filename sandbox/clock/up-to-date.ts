import { enterDuePhases } from '../billing/phases.ts'
import { subscriptionDue } from '../billing/renew.ts'
import type { Subscription } from '../objects/wire.ts'
import { requireObject, lockObject } from '../store/objects.ts'
import { sandboxTime, type Tx } from '../store/tx.ts'
import { dueAt } from '../objects/due-at.ts'

/** Locks a subscription after doing its due work, which may be some seconds late. */
export async function lockUpToDate(tx: Tx, id: string): Promise<Subscription> {
  let subscription = await lockObject(tx, 'subscription', id)
  // While this transaction waited for the lock, another request may have moved the clock.
  tx.now = await sandboxTime(tx)
  for (let at = dueAt(subscription); at !== null && at <= tx.now; at = dueAt(subscription)) {
    await subscriptionDue({ ...tx, now: at }, subscription)
    subscription = await requireObject(tx, 'subscription', id)
  }
  return enterDuePhases(tx, subscription)
}
