import type Stripe from 'stripe'
import type { Plan, Price } from './wire.ts'

export type WeeklyPrice = {
  id: string
  product: { id: string; name: string }
  unitAmount: number
  currency: string
}
export type NewPrice = Pick<
  Price,
  'id' | 'currency' | 'lookup_key' | 'nickname' | 'unit_amount'
> & {
  metadata: Stripe.Metadata
  product: string
  tax_behavior?: NonNullable<Price['tax_behavior']>
}

export function newPrice(given: NewPrice, now: number): Price {
  return {
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: now,
    custom_unit_amount: null,
    livemode: false,
    recurring: {
      interval: 'week',
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount_decimal: String(given.unit_amount),
    ...given,
  }
}

/** The price as a plan, Stripe's older format, which subscription items still contain. */
export function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: 'week',
    interval_count: 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}
