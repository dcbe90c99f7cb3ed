import { nextCharge } from '#contract/next-charge.ts'
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

/** When the next week is charged, if there is no card for it; undefined otherwise. */
export function chargeWithoutCard(row: Charged & Pick<Row, 'hasCard'>) {
  return row.hasCard ? undefined : nextCharge(chargesOf(row))
}
