import type { Plan } from '#contract/plan.ts'

export type { Plan }

// Together with the other files here, this turns on all that can be sold: intervals, currencies.
// The files also work in place of those of config/.

const sold = {
  currency: '$',
  currencyCode: 'usd',
  popular: false,
  free: false,
  legacy: false,
} as const

export const plans = [
  {
    ...sold,
    ...ofId('free'),
    price: 0,
    priceIds: [],
    frequency: 'month',
    seats: 10,
    free: true,
  },
  {
    ...sold,
    ...ofId('pro'),
    price: 40,
    amounts: { eur: 36_00, gbp: 32_00, jpy: 6_000, kwd: 12_500 },
    priceIds: ['pro_month'],
    frequency: 'month',
    prices: [
      { frequency: 'week', amounts: { usd: 10_00, eur: 9_00 }, priceIds: ['pro_week'] },
      {
        frequency: 'year',
        amounts: { usd: 400_00, eur: 360_00, gbp: 320_00, jpy: 60_000, kwd: 125_000 },
        priceIds: ['pro_year'],
      },
    ],
    trial: { days: 14, card: 'later' },
    seats: 20,
    popular: true,
  },
  {
    ...sold,
    ...ofId('enterprise'),
    price: 120,
    amounts: { eur: 108_00, gbp: 96_00, jpy: 18_000, kwd: 37_500 },
    priceIds: ['enterprise_month'],
    frequency: 'month',
    prices: [
      {
        frequency: 'month',
        every: 3,
        amounts: { usd: 330_00, eur: 297_00 },
        priceIds: ['enterprise_quarter'],
      },
      {
        frequency: 'year',
        amounts: { usd: 1200_00, eur: 1080_00, gbp: 960_00, jpy: 180_000, kwd: 375_000 },
        priceIds: ['enterprise_year'],
      },
    ],
    trial: { days: 30, card: 'required' },
    seats: 50,
  },
  {
    ...sold,
    ...ofId('gold'),
    price: 10,
    priceIds: ['gold_week'],
    frequency: 'week',
    seats: 20,
    legacy: true,
  },
] as const satisfies readonly Plan[]

export type PlanId = (typeof plans)[number]['id']

function ofId<Id extends string>(id: Id) {
  const features = [
    `plans.${id}.users`,
    `plans.${id}.storage`,
    `plans.${id}.help`,
    `plans.${id}.support`,
  ] as const
  return { id, titleKey: `plans.${id}.title`, descriptionKeys: features } as const
}
