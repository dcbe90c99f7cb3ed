import type { Subscription } from './entities.ts'

type Charges = Pick<Subscription, 'renews' | 'is_paused' | 'ends' | 'next_plan'>

/**
 * When the next period is charged. Undefined if none is: free, canceled, paused, or ending or
 * changing to a free plan before.
 */
export function nextCharge({ renews, is_paused: isPaused, ends, next_plan: next }: Charges) {
  if (renews === null || isPaused || (ends !== null && ends <= renews)) return undefined
  return next?.price === null ? undefined : renews
}
