import type Stripe from 'stripe'
import { day, week } from './due-at.ts'
import type { Interval, Recurring } from './wire.ts'

type Period = Stripe.InvoiceLineItem.Period

/** The time that many periods after the anchor. A month that lacks its day ends on its last day. */
export function periodsAfter(
  anchor: number,
  { interval, interval_count }: Recurring,
  count: number,
): number {
  const steps = interval_count * count
  if (interval === 'day') return anchor + steps * day
  if (interval === 'week') return anchor + steps * week
  const at = new Date(anchor * 1000)
  const month = at.getUTCMonth() + (interval === 'year' ? 12 * steps : steps)
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const date = Math.min(at.getUTCDate(), lastDay)
  const midnight = Date.UTC(at.getUTCFullYear(), month, date) / 1000
  return midnight + (anchor % day)
}

/** The period that the anchor's calendar has at this time. It begins at the time or before. */
export function periodAt(anchor: number, recurring: Recurring, time: number): Period {
  let count = Math.floor((time - anchor) / (lengths[recurring.interval] * recurring.interval_count))
  // Months and years differ in length, so this may be a few periods off.
  while (periodsAfter(anchor, recurring, count) > time) count--
  while (periodsAfter(anchor, recurring, count + 1) <= time) count++
  return {
    start: periodsAfter(anchor, recurring, count),
    end: periodsAfter(anchor, recurring, count + 1),
  }
}

const lengths: Record<Interval, number> = { day, week, month: 30 * day, year: 365 * day }

export function sameInterval(one: Recurring, other: Recurring): boolean {
  return one.interval === other.interval && one.interval_count === other.interval_count
}

/** `month` as `/ month`, three months as `every 3 months`. */
export function perInterval({ interval, interval_count }: Recurring): string {
  return interval_count === 1 ? `/ ${interval}` : `every ${interval_count} ${interval}s`
}

/** `monthly`, `every 3 months`. */
export function howOften({ interval, interval_count }: Recurring): string {
  return interval_count === 1 ? adverbs[interval] : `every ${interval_count} ${interval}s`
}

export const adverbs: Record<Interval, string> = {
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  year: 'yearly',
}
