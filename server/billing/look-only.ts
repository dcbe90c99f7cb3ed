import { billing } from '#config/billing.ts'
import { limits } from '#config/limits.ts'
import type { LookOnly } from '#contract/entities.ts'
import { after, seconds } from '../platform/time.ts'
import type { BillingRow } from '../store/billing.ts'

const day = 24 * 3_600_000

type Overdue = Pick<BillingRow, 'overdueSince'>

/** From when on members may only look at a project with an overdue payment; undefined if never. */
export function graceEnd({ overdueSince }: Overdue) {
  const { grace } = billing
  return overdueSince && grace !== undefined ? after(overdueSince, grace * day) : undefined
}

/** Why members may only look at a project at this time of the provider's clock; null if not. */
export function lookOnlyOf(row: Overdue, now: Date): LookOnly | null {
  const from = graceEnd(row)
  if (!from || from > now) return null
  return { because: 'overdue', until: seconds(after(row.overdueSince!, limits.unpaid.ends)) }
}
