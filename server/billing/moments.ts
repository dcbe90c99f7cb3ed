import { billingLimits } from '#config/limits.ts'
import { nextCharge } from '#contract/next-charge.ts'
import { lengthOf } from '#contract/prices.ts'
import type { Services } from '../core/services.ts'
import { graceEnd } from './look-only.ts'
import { after, seconds } from '../platform/time.ts'
import type { BillingRow } from '../store/billing.ts'
import { chargesOf, priceOf } from '../store/charges.ts'

// When something is done before a project renews or changes, by the provider's clock. `ahead_at` is
// when the next of it is due, and `ahead_done` until when it has been done.

const { ahead } = billingLimits

type Moment = {
  at: Date
  act: 'renewal' | 'planChange' | 'seats' | 'lookOnly' | 'trialEnd' | 'trialOver'
}
type Planned = Parameters<typeof chargesOf>[0] &
  Parameters<typeof priceOf>[0] &
  Pick<BillingRow, 'overdueSince' | 'trialEndsAt'>

function momentsOf(row: Planned): Moment[] {
  const price = priceOf(row)
  const charge = nextCharge(chargesOf(row))
  const change = row.scheduled && new Date(row.scheduled.at * 1000)
  const lookOnly = graceEnd(row)
  return [
    ...(change
      ? [
          ...ahead.planChange.map((before) => ({
            at: after(change, -before),
            act: 'planChange' as const,
          })),
          { at: after(change, -ahead.seats), act: 'seats' as const },
        ]
      : []),
    ...(lookOnly ? [{ at: lookOnly, act: 'lookOnly' as const }] : []),
    ...(row.trialEndsAt && charge !== undefined
      ? [{ at: after(row.trialEndsAt, -ahead.trialEnd), act: 'trialEnd' as const }]
      : []),
    ...(row.lookOnly?.because === 'trialEnded' && row.lookOnly.until !== null
      ? [{ at: new Date(row.lookOnly.until * 1000), act: 'trialOver' as const }]
      : []),
    ...(price && !row.trialEndsAt && charge !== undefined && lengthOf(price) >= ahead.longPeriod
      ? [{ at: after(new Date(charge * 1000), -ahead.renewal), act: 'renewal' as const }]
      : []),
  ]
}

/** What is not done by `done`. */
export function momentsAfter(row: Planned, done: Date | null) {
  return momentsOf(row).filter(({ at }) => done === null || at > done)
}

/** When the first of it is due; null if there is none. */
export function nextAhead(row: Planned, done: Date | null) {
  const times = momentsAfter(row, done).map(({ at }) => at.getTime())
  return times.length > 0 ? new Date(Math.min(...times)) : null
}

/** The next due time in seconds, for the sandbox's clock. */
export async function nextAlarm({ store }: Pick<Services, 'store'>) {
  const at = await store.billing.nextAhead()
  return at && seconds(at)
}
