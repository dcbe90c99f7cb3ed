import { nextCharge } from '#contract/next-charge.ts'
import type { Price } from '#contract/prices.ts'
import { seconds } from '../platform/time.ts'
import type { ScheduledChange, subscriptions } from './schema.ts'

type Row = typeof subscriptions.$inferSelect
type Charged = Pick<Row, 'renewsAt' | 'endsAt' | 'collectionPaused' | 'scheduled'>

/** What a row says about charges, as clients read it. */
export function chargesOf({ renewsAt, endsAt, collectionPaused, scheduled }: Charged) {
  return {
    renews: renewsAt && seconds(renewsAt),
    ends: endsAt && seconds(endsAt),
    is_paused: collectionPaused,
    next_plan: scheduled && nextPlanOf(scheduled),
  }
}

function nextPlanOf({ planId, price, at, isOwn }: ScheduledChange) {
  return { plan_id: planId, price, at, by: isOwn ? ('owner' as const) : ('operator' as const) }
}

/** What a row says that the provider charges for each period; null if nothing. */
export function priceOf({
  amount,
  currency,
  frequency,
  every,
}: Pick<Row, 'amount' | 'currency' | 'frequency' | 'every'>): Price | null {
  return amount === null || currency === null ? null : { amount, currency, frequency, every }
}

/** When the next period is charged, if there is no card for it; undefined otherwise. */
export function chargeWithoutCard(row: Charged & Pick<Row, 'hasCard'>) {
  return row.hasCard ? undefined : nextCharge(chargesOf(row))
}
