import { Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'

/** When something ends, in milliseconds from now: `life` unless its maker says so. */
type Lives = { life: number; longest: number }

/** The time in epoch seconds, or else the usual one. Refuses one that is over, or too far. */
export function requireExpiry(expires: number | undefined, { life, longest }: Lives, now: Date) {
  if (expires === undefined) return after(now, life)
  const at = new Date(expires * 1000)
  const wrong = at <= now ? 'too_small' : at > after(now, longest) && 'too_big'
  if (wrong) throw new Refusal('invalidInput', { fields: { expires: wrong } })
  return at
}
