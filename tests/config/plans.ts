import type { Plan } from '../../config/plans.ts'

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
    id: 'free',
    titleKey: 'plans.free.title',
    descriptionKeys: [
      'plans.free.users',
      'plans.free.storage',
      'plans.free.help',
      'plans.free.support',
    ],
    price: 0,
    priceIds: [],
    seats: 10,
    free: true,
  },
  {
    ...weekly,
    id: 'pro',
    titleKey: 'plans.pro.title',
    descriptionKeys: [
      'plans.pro.users',
      'plans.pro.storage',
      'plans.pro.help',
      'plans.pro.support',
    ],
    price: 10,
    priceIds: ['price_atrium_pro_weekly'],
    seats: 20,
    popular: true,
  },
  {
    ...weekly,
    id: 'enterprise',
    titleKey: 'plans.enterprise.title',
    descriptionKeys: [
      'plans.enterprise.users',
      'plans.enterprise.storage',
      'plans.enterprise.help',
      'plans.enterprise.support',
    ],
    price: 30,
    priceIds: ['price_atrium_enterprise_weekly'],
    seats: 50,
  },
  {
    ...weekly,
    id: 'gold',
    titleKey: 'plans.gold.title',
    descriptionKeys: [
      'plans.gold.users',
      'plans.gold.storage',
      'plans.gold.help',
      'plans.gold.support',
    ],
    price: 10,
    priceIds: ['price_atrium_gold_weekly'],
    seats: 20,
    legacy: true,
  },
] as const satisfies readonly Plan[]

export type PlanId = (typeof plans)[number]['id']
