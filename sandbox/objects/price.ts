import type { Plan, Price, Product } from './wire.ts'

export type WeeklyPrice = { id: string; product: { id: string; name: string }; unitAmount: number; currency: string }

export function newProduct({ product: { id, name } }: WeeklyPrice, now: number): Product {
  return {
    id,
    object: 'product',
    active: true,
    created: now,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
  }
}

export function newPrice(weekly: WeeklyPrice, now: number): Price {
  return {
    id: weekly.id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: now,
    currency: weekly.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: weekly.product.id,
    recurring: { interval: 'week', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: weekly.unitAmount,
    unit_amount_decimal: String(weekly.unitAmount),
  }
}

/** The same price in Stripe's older words, which every subscription item still carries. */
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
