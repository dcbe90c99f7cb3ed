import { mergedMetadata, type Metadata } from '../api/params.ts'
import { itemList } from '../objects/subscription.ts'
import type { Subscription, SubscriptionItem } from '../objects/wire.ts'

type PendingUpdate = NonNullable<Subscription['pending_update']>

/** Other settings of the subscription that change together with its items. */
export type Along = {
  cancel_at_period_end?: boolean | undefined
  metadata?: Metadata | null | undefined
}

/** The subscription with other items and settings. */
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

/** A change of items and settings that takes effect once its invoice is paid. */
export function pendingUpdate(
  subscription_items: SubscriptionItem[],
  { cancel_at_period_end, metadata }: Along,
  expires_at: number,
): PendingUpdate {
  return {
    billing_cycle_anchor: null,
    cancel_at_period_end: cancel_at_period_end ?? null,
    discount: null,
    discounts: null,
    expires_at,
    metadata: metadata ?? null,
    subscription_items,
    trial_end: null,
    trial_from_plan: null,
  }
}

/** The subscription after its pending change took effect. */
export function withPending(
  subscription: Subscription,
  { subscription_items, cancel_at_period_end, metadata }: PendingUpdate,
): Subscription {
  const along = {
    cancel_at_period_end: cancel_at_period_end ?? undefined,
    metadata: metadata ?? {},
  }
  return { ...withChange(subscription, subscription_items, along), pending_update: null }
}
