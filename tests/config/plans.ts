import type { Plan } from '../../contract/plan.ts'

export type { Plan }

/** What a plan has in common with the others, and the keys of its words. */
function weekly<Id extends string>(id: Id) {
  return {
    id,
    titleKey: `plans.${id}.title`,
    descriptionKeys: [
      `plans.${id}.users`,
      `plans.${id}.storage`,
      `plans.${id}.help`,
      `plans.${id}.support`,
    ],
    currency: '$',
    currencyCode: 'usd',
    frequency: 'week',
    popular: false,
    free: false,
    legacy: false,
  } as const
}

/** Of names that no module has once it is removed, so the compiler must not check them. */
function allowing(limits: Record<string, number>, features: string[] = []) {
  return { limits, features: features as never[] }
}

export const plans = [
  {
    ...weekly('free'),
    price: 0,
    priceIds: [],
    seats: 10,
    ...allowing({ documents: 3, documentStorage: 50_000 }),
    free: true,
  },
  {
    ...weekly('pro'),
    price: 10,
    priceIds: ['price_pro_weekly'],
    seats: 20,
    ...allowing({ documents: 50, documentStorage: 2_000_000 }, ['documentExport']),
    popular: true,
  },
  {
    ...weekly('enterprise'),
    price: 30,
    priceIds: ['price_enterprise_weekly'],
    seats: 50,
    features: 'all',
  },
  { ...weekly('gold'), price: 10, priceIds: ['price_gold_weekly'], seats: 20, legacy: true },
] as const satisfies readonly Plan[]

export type PlanId = (typeof plans)[number]['id']
