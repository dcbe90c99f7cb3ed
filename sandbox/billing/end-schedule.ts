import type { Subscription, SubscriptionSchedule } from '../objects/wire.ts'
import { change, record } from '../events/record.ts'
import { requireObject, save } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

/** Ends the schedule and leaves its subscription as it is. */
export async function releaseSchedule(
  tx: Tx,
  schedule: SubscriptionSchedule,
): Promise<SubscriptionSchedule> {
  const released = await save(tx, {
    ...schedule,
    current_phase: null,
    released_at: tx.now,
    released_subscription: schedule.subscription,
    status: 'released' as const,
    subscription: null,
  })
  await record(tx, 'subscription_schedule.released', released)
  const subscription = await requireObject(tx, 'subscription', schedule.subscription!)
  await change(tx, 'customer.subscription.updated', subscription, {
    ...subscription,
    schedule: null,
  })
  return released
}

/** Ends the schedule of a subscription that has ended, if it has one. */
export async function cancelSchedule(tx: Tx, { schedule: id, cancellation_details }: Subscription) {
  if (!id) return
  const schedule = await requireObject(tx, 'subscription_schedule', id)
  const canceled = await save(tx, {
    ...schedule,
    canceled_at: tx.now,
    current_phase: null,
    status: 'canceled' as const,
  })
  const isUnpaid = cancellation_details?.reason === 'payment_failed'
  await record(
    tx,
    isUnpaid ? 'subscription_schedule.aborted' : 'subscription_schedule.canceled',
    canceled,
  )
}
