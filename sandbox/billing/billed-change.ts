import { periodAt, sameInterval } from '../objects/calendar.ts'
import { isFree, periodOf } from '../objects/subscription.ts'
import type { InvoiceLine, Subscription, SubscriptionItem } from '../objects/wire.ts'
import type { Runner } from '../store/tx.ts'
import { discounted, type Applied } from './discounts.ts'
import { newIn, periodLines, prorationLines, trialLines } from './lines.ts'

export type ItemsChange = {
  items: SubscriptionItem[]
  /** The time, in seconds, from which the price difference for the period is charged. */
  at: number
  /** If false, nothing is credited, and the new price applies from the next period. */
  prorates: boolean
  /** The time at which a new period begins, if one does: `billing_cycle_anchor[type]=now`. */
  restartsAt: number | undefined
  applied: Applied[]
  /** The time until which a trial runs, if a trial begins or is given another end. */
  trialsUntil?: number | undefined
}

/**
 * The items after a change, with their periods, and the lines that bill the change, discounted. A
 * trial uses up no discount.
 */
export async function billedChange(
  runner: Runner,
  subscription: Subscription,
  { items, at, prorates, restartsAt, applied, trialsUntil }: ItemsChange,
): Promise<{ items: SubscriptionItem[]; lines: InvoiceLine[] }> {
  const { currency } = subscription
  const credits = async () =>
    prorates && !isFree(subscription) ? prorationLines(runner, subscription, [], at, applied) : []
  if (trialsUntil !== undefined) {
    const after = items.map((item) => ({
      ...item,
      current_period_start: subscription.status === 'trialing' ? item.current_period_start : at,
      current_period_end: trialsUntil,
    }))
    const lines = [...(await credits()), ...(await trialLines(runner, currency, after))]
    return { items: after, lines }
  }
  if (restartsAt === undefined && isFree(subscription)) {
    const come = subscription.status === 'trialing' ? newIn(items, subscription.items.data) : []
    return { items, lines: prorates ? await trialLines(runner, currency, come) : [] }
  }
  if (restartsAt === undefined) {
    const after = items.map((item) => onCalendar(subscription, item, at))
    const lines = prorates ? await prorationLines(runner, subscription, after, at, applied) : []
    return { items: after, lines: discounted(lines, applied) }
  }
  const after = items.map((item) => inPeriod(item, restartsAt, restartsAt))
  const debits = await periodLines(runner, currency, after, periodOf(subscription, after))
  return { items: after, lines: discounted([...(await credits()), ...debits], applied) }
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
