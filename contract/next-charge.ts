import type { Subscription } from './entities.ts'

type Charges = Pick<Subscription, 'renews' | 'is_paused' | 'ends'>

/** When the next period is charged. Undefined if none is: free, canceled, paused or ending before. */
export function nextCharge({ renews, is_paused: isPaused, ends }: Charges) {
  if (renews === null || isPaused || (ends !== null && ends <= renews)) return undefined
  return renews
}
