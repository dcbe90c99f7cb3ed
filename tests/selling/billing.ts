import type { Timing } from '#contract/plan.ts'

type Billing = { cancel: Timing; smallerPlan: Timing; refundUnused: boolean; grace?: number }

export const billing: Billing = { cancel: 'choice', smallerPlan: 'choice', refundUnused: true }

/** About how many days an interval has, by which prices of different intervals are compared. */
export const daysOf = { day: 1, week: 7, month: 365 / 12, year: 365 } as const
