import { mergedMetadata, type Metadata } from '../api/params.ts'
import { itemList, resumed, withEnd, withTrial } from '../objects/subscription.ts'
import type { Subscription, SubscriptionItem } from '../objects/wire.ts'

type PendingUpdate = NonNullable<Subscription['pending_update']>

/** Other settings of the subscription that change together with its items. */
export type Along = {
  billing_cycle_anchor?: number | null | undefined
  cancel_at_period_end?: boolean | null | undefined
  discounts?: string[] | null | undefined
  metadata?: Metadata | null | undefined
  trial_end?: number | null | undefined
}

/** The subscription with other items and settings. */
export function withChange(
  subscription: Subscription,
  items: SubscriptionItem[],
  { billing_cycle_anchor, cancel_at_period_end, discounts, metadata, trial_end }: Along,
  now: number,
): Subscription {
  const changed = {
    ...subscription,
    billing_cycle_anchor: billing_cycle_anchor ?? subscription.billing_cycle_anchor,
    discounts: discounts ?? subscription.discounts,
    items: itemList(subscription.id, items),
    metadata: mergedMetadata(subscription.metadata, metadata),
  }
  const tried = typeof trial_end === 'number' ? withTrial(changed, trial_end, now) : changed
  return withEnd(tried, cancel_at_period_end ?? undefined, now)
}

/** A change of items and settings that takes effect once its invoice is paid. */
export function pendingUpdate(
  subscription_items: SubscriptionItem[],
  { billing_cycle_anchor, cancel_at_period_end, discounts, metadata, trial_end }: Along,
  expires_at: number,
): PendingUpdate {
  return {
    billing_cycle_anchor: billing_cycle_anchor ?? null,
    cancel_at_period_end: cancel_at_period_end ?? null,
    discount: null,
    discounts: discounts ?? null,
    expires_at,
    metadata: metadata ?? null,
    subscription_items,
    trial_end: trial_end ?? null,
    trial_from_plan: null,
  }
}

/** The subscription after its pending change took effect. */
export function withPending(
  subscription: Subscription,
  { subscription_items, metadata, ...along }: PendingUpdate,
  now: number,
): Subscription {
  const begun = subscription.status === 'paused' ? resumed(subscription) : subscription
  const kept = { ...along, metadata: metadata ?? {} }
  return { ...withChange(begun, subscription_items, kept, now), pending_update: null }
}
