import type { Plan } from '#contract/plan.ts'

export type { Plan }

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
