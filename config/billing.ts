import type { Billing } from '#contract/plan.ts'

export const billing: Billing = {
  cancel: 'now',
  smallerPlan: 'now',
  refundUnused: false,
  promotionCodes: false,
}

/** About how many days an interval has, by which prices of different intervals are compared. */
export const daysOf = { day: 1, week: 7, month: 365 / 12, year: 365 } as const
