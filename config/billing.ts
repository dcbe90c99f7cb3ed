import type { Timing } from '#contract/plan.ts'

type Billing = {
  /** When a canceled project ends. */
  cancel: Timing
  /** When a change to a plan with a lower price a day, or to a free plan, takes effect. */
  smallerPlan: Timing
  /** Whether a project that ends before its paid period does gets the rest back. */
  refundUnused: boolean
  /**
   * After how many days the members of a project with an overdue payment may only look. Shorter
   * than the provider's retries; left out: never.
   */
  grace?: number
}

export const billing: Billing = {
  cancel: 'now',
  smallerPlan: 'now',
  refundUnused: false,
}

/** About how many days an interval has, by which prices of different intervals are compared. */
export const daysOf = { day: 1, week: 7, month: 365 / 12, year: 365 } as const
