import { nextCharge } from '#contract/next-charge.ts'
import type { Price } from '#contract/prices.ts'
import { seconds } from '../platform/time.ts'
import type { subscriptions } from './schema.ts'

type Row = typeof subscriptions.$inferSelect
type Charged = Pick<Row, 'renewsAt' | 'endsAt' | 'collectionPaused'>

/** What a row says about charges, as clients read it. */
export function chargesOf({ renewsAt, endsAt, collectionPaused }: Charged) {
  return {
    renews: renewsAt && seconds(renewsAt),
    ends: endsAt && seconds(endsAt),
    is_paused: collectionPaused,
  }
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
