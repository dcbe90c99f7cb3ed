import { periodAt, sameInterval } from '../objects/calendar.ts'
import { periodOf } from '../objects/subscription.ts'
import type { InvoiceLine, Subscription, SubscriptionItem } from '../objects/wire.ts'
import type { Runner } from '../store/tx.ts'
import { discounted, type Applied } from './discounts.ts'
import { periodLines, prorationLines } from './lines.ts'

export type ItemsChange = {
  items: SubscriptionItem[]
  /** The time, in seconds, from which the price difference for the period is charged. */
  at: number
  /** If false, nothing is credited, and the new price applies from the next period. */
  prorates: boolean
  /** The time at which a new period begins, if one does: `billing_cycle_anchor[type]=now`. */
  restartsAt: number | undefined
  applied: Applied[]
}

/** The items after a change, with their periods, and the lines that bill the change, discounted. */
export async function billedChange(
  runner: Runner,
  subscription: Subscription,
  { items, at, prorates, restartsAt, applied }: ItemsChange,
): Promise<{ items: SubscriptionItem[]; lines: InvoiceLine[] }> {
  const { currency } = subscription
  if (restartsAt === undefined) {
    const after = items.map((item) => onCalendar(subscription, item, at))
    const lines = prorates ? await prorationLines(runner, subscription, after, at, applied) : []
    return { items: after, lines: discounted(lines, applied) }
  }
  const after = items.map((item) => inPeriod(item, restartsAt, restartsAt))
  const credits = prorates ? await prorationLines(runner, subscription, [], at, applied) : []
  const debits = await periodLines(runner, currency, after, periodOf(subscription, after))
  return { items: after, lines: discounted([...credits, ...debits], applied) }
}

/**
 * An item whose interval changes gets the period that the anchor's calendar has for the new one. In
 * flexible billing mode, the anchor moves only on request.
 */
function onCalendar(subscription: Subscription, item: SubscriptionItem, at: number) {
  const [before] = subscription.items.data
  return sameInterval(before!.price.recurring, item.price.recurring)
    ? item
    : inPeriod(item, subscription.billing_cycle_anchor, at)
}

function inPeriod(item: SubscriptionItem, anchor: number, at: number): SubscriptionItem {
  const { start, end } = periodAt(anchor, item.price.recurring, at)
  return { ...item, current_period_start: start, current_period_end: end }
}
