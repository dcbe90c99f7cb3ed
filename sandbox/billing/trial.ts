import { hasTrialWarning, trialWarnsAt } from '../objects/due-at.ts'
import type { Subscription } from '../objects/wire.ts'
import { change, publish, record } from '../events/record.ts'
import type { Tx } from '../store/tx.ts'
import { payingMethod } from './bill.ts'
import { becauseOf, cancel } from './end.ts'

/** Says once, three days before a trial ends, that it will. A shorter trial says so at once. */
export async function warn(tx: Tx, subscription: Subscription): Promise<Subscription> {
  if (!hasTrialWarning(subscription) || trialWarnsAt(subscription) > tx.now) return subscription
  const warned = { ...subscription, $hidden: { warned: true } }
  return publish(tx, 'customer.subscription.trial_will_end', warned)
}

/**
 * Ends or pauses a subscription whose trial ends without a payment method, if its settings say so.
 * Otherwise, answers undefined.
 */
export async function stopUnpayable(tx: Tx, subscription: Subscription) {
  if (subscription.status !== 'trialing' || (await payingMethod(tx, subscription))) return undefined
  const behavior = subscription.trial_settings?.end_behavior.missing_payment_method
  if (behavior === 'cancel') return cancel(tx, subscription, becauseOf('cancellation_requested'))
  return behavior === 'pause' ? pause(tx, subscription) : undefined
}

async function pause(tx: Tx, subscription: Subscription): Promise<Subscription> {
  const reason = { type: 'trial_end_without_payment_method' }
  const paused = await change(tx, 'customer.subscription.updated', subscription, {
    status: 'paused',
    status_details: {
      paused: { subscription: reason, transitioned_at: tx.now, type: 'subscription' },
    },
    trial_end: Math.min(tx.now, subscription.trial_end ?? tx.now),
  })
  await record(tx, 'customer.subscription.paused', paused)
  return paused
}
