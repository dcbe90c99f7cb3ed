import { billing } from '#config/billing.ts'
import { limits } from '#config/limits.ts'
import type { LookOnly } from '#contract/entities.ts'
import type { Services } from '../core/services.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { after, day, seconds } from '../platform/time.ts'
import type { BillingRow } from '../store/billing.ts'

type Overdue = Pick<BillingRow, 'overdueSince'>

/** From when on members may only look at a project with an overdue payment; undefined if never. */
export function graceEnd({ overdueSince }: Overdue) {
  const { grace } = billing
  return overdueSince && grace !== undefined ? after(overdueSince, grace * day) : undefined
}

/** Whether members may only look at this time of the provider's clock, because of a payment. */
export function afterGrace(row: Overdue, now: Date): LookOnly | null {
  const from = graceEnd(row)
  if (!from || from > now) return null
  return { because: 'overdue', until: seconds(after(row.overdueSince!, limits.unpaid.ends)) }
}

/** A trial that is over: its project waits for a payment for a while. */
export function afterTrial(trialEndsAt: Date): LookOnly {
  return { because: 'trialEnded', until: seconds(after(trialEndsAt, limits.trialOver)) }
}

/** Adds the job that ends a project whose trial is over, or changes it to the free plan. */
export async function addEndTrial(
  subscriptionId: SubscriptionId,
  { jobs }: Pick<Services, 'jobs'>,
) {
  await jobs.add('endTrial', { subscriptionId }, { key: `trial ${subscriptionId}` })
}
