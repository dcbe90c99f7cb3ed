import type Stripe from 'stripe'
import { periodAt } from './calendar.ts'
import { newId, newObject, nulls, wholeList } from './new-object.ts'
import { planOf, unitAmountIn } from './price.ts'
import type { Price, Subscription, SubscriptionItem } from './wire.ts'

export type PricedItem = { price: Price; quantity: number; metadata: Stripe.Metadata }
export type PaymentSettings = Stripe.Subscription.PaymentSettings
export type NewSubscription = Pick<Subscription, 'currency' | 'customer'> &
  Partial<Omit<Subscription, 'items'>> & { items: PricedItem[] }

export const noTax: Subscription['automatic_tax'] = {
  disabled_reason: null,
  enabled: false,
  liability: null,
}

export function newSubscription({ items, ...given }: NewSubscription, now: number): Subscription {
  const base = newObject('subscription', 'sub', now)
  const firstPeriod = ({ price }: PricedItem) =>
    given.trial_end ? { start: now, end: given.trial_end } : periodAt(now, price.recurring, now)
  const made: Subscription = {
    ...base,
    ...nulls(
      'application application_fee_percent billing_cycle_anchor_config billing_thresholds',
      'cancel_at canceled_at customer_account days_until_due default_payment_method default_source',
      'description ended_at test_clock trial_end',
      'latest_invoice next_pending_invoice_item_invoice on_behalf_of pause_collection',
      'pending_invoice_item_interval pending_setup_intent pending_update schedule transfer_data',
    ),
    automatic_tax: noTax,
    billing_cycle_anchor: given.trial_end ?? now,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    cancel_at_period_end: false,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    default_tax_rates: [],
    discounts: [],
    invoice_settings: {
      ...nulls('account_tax_ids custom_fields description footer'),
      issuer: { type: 'self' },
    },
    managed_payments: { enabled: false },
    metadata: {},
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    start_date: now,
    status: given.trial_end ? 'trialing' : 'incomplete',
    trial_settings: {
      end_behavior: { billing_cycle_anchor: 'now', missing_payment_method: 'create_invoice' },
    },
    trial_start: given.trial_end ? now : null,
    ...given,
    items: itemList(
      base.id,
      items.map((item) => newItem(base.id, item, firstPeriod(item), now)),
    ),
  }
  return made.cancel_at_period_end ? withEnd(made, true, now) : made
}

export function newItem(
  subscription: string,
  { price, quantity, metadata }: PricedItem,
  period: Stripe.InvoiceLineItem.Period,
  now: number,
): SubscriptionItem {
  return {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata,
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  }
}

export function itemList(subscription: string, items: SubscriptionItem[]): Subscription['items'] {
  return wholeList(`/v1/subscription_items?subscription=${subscription}`, items)
}

/** The price of these items for a period, before discounts and tax. */
export function subtotalOf(items: Pick<PricedItem, 'price' | 'quantity'>[], currency: string) {
  return items.reduce((all, item) => all + unitAmountIn(item.price, currency) * item.quantity, 0)
}

/** The current period of the subscription, if its items are these. All have the same one. */
export function periodOf(subscription: Subscription, [item] = subscription.items.data) {
  return {
    start: item?.current_period_start ?? subscription.start_date,
    end: item?.current_period_end ?? subscription.start_date,
  }
}

/** The period after the subscription's current period. */
export function nextPeriodOf(subscription: Subscription): Stripe.InvoiceLineItem.Period {
  const { end: start } = periodOf(subscription)
  const [item] = subscription.items.data
  const { end } = periodAt(subscription.billing_cycle_anchor, item!.price.recurring, start)
  return { start, end }
}

/** The subscription, told to end with its period or not. Without an order, it keeps its own. */
export function withEnd(
  subscription: Subscription,
  cancel_at_period_end: boolean | undefined,
  now: number,
): Subscription {
  const ends = cancel_at_period_end ?? subscription.cancel_at_period_end
  const kept = { ...subscription, cancel_at: ends ? periodOf(subscription).end : null }
  if (cancel_at_period_end === undefined) return kept
  const details = subscription.cancellation_details
  return {
    ...kept,
    cancel_at_period_end,
    canceled_at: ends ? now : null,
    cancellation_details: details && {
      ...details,
      reason: ends ? 'cancellation_requested' : null,
    },
  }
}

/** The subscription in a trial until `end`, or after a trial that ends now. */
export function withTrial(subscription: Subscription, end: number, now: number): Subscription {
  const { status, trial_start } = subscription
  const wasTrialing = status === 'trialing'
  if (end <= now)
    return { ...subscription, status: wasTrialing ? 'active' : status, trial_end: end }
  return {
    ...subscription,
    $hidden: { warned: false },
    status: 'trialing',
    trial_end: end,
    trial_start: wasTrialing ? trial_start : now,
  }
}

/** The subscription, no longer paused. */
export function resumed(subscription: Subscription): Subscription {
  return { ...subscription, status: 'active', status_details: undefined }
}

/** Whether nothing was charged for the present period, so nothing can be credited. */
export function isFree({ status }: Subscription): boolean {
  return status === 'trialing' || status === 'paused'
}

export function isOver(subscription: Subscription): boolean {
  return subscription.status === 'canceled' || subscription.status === 'incomplete_expired'
}
