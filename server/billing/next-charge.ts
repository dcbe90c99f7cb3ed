import { nextCharge } from '#contract/next-charge.ts'
import { seconds } from '../platform/time.ts'
import type { BillingRow } from '../store/billing.ts'

type Charged = Pick<BillingRow, 'renewsAt' | 'endsAt' | 'collectionPaused'>

/** When the next week is charged; undefined if none is. */
export function nextChargeOf({ renewsAt, endsAt, collectionPaused }: Charged) {
  return nextCharge({
    renews: renewsAt && seconds(renewsAt),
    ends: endsAt && seconds(endsAt),
    is_paused: collectionPaused,
  })
}

/** The same, if there is no card to charge then. */
export function chargeWithoutCard(row: Charged & Pick<BillingRow, 'hasCard'>) {
  return row.hasCard ? undefined : nextChargeOf(row)
}
