import type { MessageKey } from '#locales/keys.ts'

export type Plan = {
  id: string
  titleKey: MessageKey
  /** A line each, in which `{{seats}}` and the names of `limits` are the numbers below. */
  descriptionKeys: readonly MessageKey[]
  /** Whole units of `currency` per `frequency`; 0 for a free plan. */
  price: number
  /**
   * Stripe's prices of this plan, as lookup keys (the same in test and live mode) or ids.
   * New subscriptions pay the first; the others are former prices that some still pay.
   */
  priceIds: readonly string[]
  currency: '$'
  /** ISO 4217, lower case, as the payment provider wants it. */
  currencyCode: 'usd'
  frequency: 'week'
  /** Seats for members and pending invites together. */
  seats: number
  /** What the plan includes, and how much it allows, by the names that modules give. */
  features?: readonly string[] | 'all'
  limits?: Record<string, number>
  popular: boolean
  free: boolean
  /** Nobody can buy the plan any more. Subscriptions that have it keep it. */
  legacy: boolean
}

const weekly = {
  currency: '$',
  currencyCode: 'usd',
  frequency: 'week',
  popular: false,
  free: false,
  legacy: false,
} as const

export const plans = [
  {
    ...weekly,
    ...ofId('free'),
    price: 0,
    priceIds: [],
    seats: 10,
    free: true,
  },
  {
    ...weekly,
    ...ofId('pro'),
    price: 10,
    priceIds: ['price_atrium_pro_weekly'],
    seats: 20,
    popular: true,
  },
  {
    ...weekly,
    ...ofId('enterprise'),
    price: 30,
    priceIds: ['price_atrium_enterprise_weekly'],
    seats: 50,
  },
  {
    ...weekly,
    ...ofId('gold'),
    price: 10,
    priceIds: ['price_atrium_gold_weekly'],
    seats: 20,
    legacy: true,
  },
] as const satisfies readonly Plan[]

export type PlanId = (typeof plans)[number]['id']

/** Names the plan's texts in locales/, whose keys contain its id. */
function ofId<Id extends string>(id: Id) {
  const features = [
    `plans.${id}.users`,
    `plans.${id}.storage`,
    `plans.${id}.help`,
    `plans.${id}.support`,
  ] as const
  return { id, titleKey: `plans.${id}.title`, descriptionKeys: features } as const
}
