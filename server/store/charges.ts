import { nextCharge } from '#contract/next-charge.ts'
import type { Price } from '#contract/prices.ts'
import { seconds } from '../platform/time.ts'
import type { ScheduledChange, subscriptions } from './schema.ts'

type Row = typeof subscriptions.$inferSelect
type Charged = Pick<Row, 'renewsAt' | 'endsAt' | 'collectionPaused' | 'scheduled' | 'lookOnly'>

/** What a row says about charges, as clients read it. */
export function chargesOf({ renewsAt, endsAt, collectionPaused, scheduled, lookOnly }: Charged) {
  return {
    // After a trial without a card, nothing is charged until its owner starts the project again.
    renews: lookOnly?.because === 'trialEnded' ? null : renewsAt && seconds(renewsAt),
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

/** When the next period is charged, if it needs a card and has none. A trial goes without. */
export function chargeWithoutCard(row: Charged & Pick<Row, 'hasCard' | 'trialEndsAt'>) {
  return row.hasCard || row.trialEndsAt ? undefined : nextCharge(chargesOf(row))
}
