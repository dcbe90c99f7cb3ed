import { newPhase, phaseItemsOf, sameItems } from '../objects/schedule.ts'
import type { Phase, Subscription } from '../objects/wire.ts'
import { change } from '../events/record.ts'
import { requireObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

/**
 * Splits the current phase of the subscription's schedule, if it has one, where the subscription's
 * items were changed directly. The later phases stay.
 */
export async function splitPhase(tx: Tx, subscription: Subscription) {
  if (!subscription.schedule) return
  const schedule = await requireObject(tx, 'subscription_schedule', subscription.schedule)
  const items = phaseItemsOf(subscription)
  const isCurrent = ({ start_date }: Phase) => start_date === schedule.current_phase?.start_date
  const current = schedule.phases.find(isCurrent)
  if (!current || sameItems(current.items, items)) return
  const { end_date } = current
  const parts = [
    { ...current, end_date: tx.now },
    newPhase({ ...current, items, start_date: tx.now }),
  ]
  await change(tx, 'subscription_schedule.updated', schedule, {
    current_phase: { end_date, start_date: tx.now },
    phases: schedule.phases.flatMap((phase) => (isCurrent(phase) ? parts : [phase])),
  })
}
