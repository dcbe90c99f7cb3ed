import { billing } from '#config/billing.ts'
import type { Subscription } from './entities.ts'
import type { At, Timing } from './plan.ts'
import { isLower, type Price } from './prices.ts'

const offered = {
  now: ['now'],
  atPeriodEnd: ['periodEnd'],
  choice: ['periodEnd', 'now'],
} as const satisfies Record<Timing, readonly At[]>

/** The moment that was asked for, or the first that is offered. Undefined if it is not offered. */
export function resolveAt(timing: Timing, asked: At | undefined): At | undefined {
  const moments: readonly At[] = offered[timing]
  return asked === undefined ? moments[0] : moments.find((at) => at === asked)
}

type Paid = Pick<Subscription, 'price' | 'payment' | 'ends_by' | 'trial_ends'>

/**
 * When a project can be canceled: in a trial at once. One that ends with its period can still be
 * ended at once.
 */
export function cancelTiming({ price, payment, ends_by: endsBy, trial_ends }: Paid): Timing {
  if (!price || payment !== 'ok' || trial_ends !== null || billing.cancel === 'now') return 'now'
  return endsBy === 'owner' ? 'choice' : billing.cancel
}

/** When a project can change to another price, or to a free plan, which has none: in a trial at once. */
export function changeTiming(
  { price, trial_ends }: Pick<Paid, 'price' | 'trial_ends'>,
  to: Price | null,
): Timing {
  const isSmaller = price !== null && (to === null || isLower(to, price))
  return isSmaller && trial_ends === null ? billing.smallerPlan : 'now'
}
