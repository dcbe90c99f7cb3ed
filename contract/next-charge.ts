import type { Subscription } from './entities.ts'

/** When the next week is charged. Undefined if none is: free, canceled, paused or ending before. */
export function nextCharge({ renews, is_paused: isPaused, ends }: Subscription) {
  if (renews === null || isPaused || (ends !== null && ends <= renews)) return undefined
  return renews
}
