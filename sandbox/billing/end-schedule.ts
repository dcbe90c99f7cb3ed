import type { Subscription, SubscriptionSchedule } from '../objects/wire.ts'
import { change, publish } from '../events/record.ts'
import { requireObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

/** Ends the schedule and leaves its subscription as it is. */
export async function releaseSchedule(
  tx: Tx,
  schedule: SubscriptionSchedule,
): Promise<SubscriptionSchedule> {
  const released = await publish(tx, 'subscription_schedule.released', {
    ...schedule,
    current_phase: null,
    released_at: tx.now,
    released_subscription: schedule.subscription,
    status: 'released',
    subscription: null,
  })
  const subscription = await requireObject(tx, 'subscription', schedule.subscription!)
  await change(tx, 'customer.subscription.updated', subscription, { schedule: null })
  return released
}

/** Ends the schedule of a subscription that has ended, if it has one. */
export async function cancelSchedule(tx: Tx, { schedule: id, cancellation_details }: Subscription) {
  if (!id) return
  const schedule = await requireObject(tx, 'subscription_schedule', id)
  const isUnpaid = cancellation_details?.reason === 'payment_failed'
  await publish(tx, `subscription_schedule.${isUnpaid ? 'aborted' : 'canceled'}`, {
    ...schedule,
    canceled_at: tx.now,
    current_phase: null,
    status: 'canceled',
  })
}
