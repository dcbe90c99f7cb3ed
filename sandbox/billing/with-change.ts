import { mergedMetadata, type Metadata } from '../api/params.ts'
import { itemList } from '../objects/subscription.ts'
import type { Subscription, SubscriptionItem } from '../objects/wire.ts'

/** Other settings that change together with the items: at once, or when the change is paid. */
export type Along = {
  cancel_at_period_end?: boolean | undefined
  metadata?: Metadata | null | undefined
}

export function withChange(
  subscription: Subscription,
  items: SubscriptionItem[],
  { cancel_at_period_end, metadata }: Along,
): Subscription {
  return {
    ...subscription,
    cancel_at_period_end: cancel_at_period_end ?? subscription.cancel_at_period_end,
    items: itemList(subscription.id, items),
    metadata: mergedMetadata(subscription.metadata, metadata),
  }
}
