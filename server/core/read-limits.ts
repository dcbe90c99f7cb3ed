import { readLimits as configured } from '#config/limits.ts'
import { Refusal } from '../platform/refusal.ts'

type ReadLimit = keyof typeof configured
export type ReadLimits = ReturnType<typeof openReadLimits>

/** Counts in this server's memory. The counts of a limit end together. */
export function openReadLimits() {
  const counts = new Map<ReadLimit, { ends: number; points: Map<string, number> }>()

  function countsOf(limit: ReadLimit) {
    const known = counts.get(limit)
    if (known && known.ends > Date.now()) return known
    const begun = { ends: Date.now() + configured[limit].within, points: new Map<string, number>() }
    counts.set(limit, begun)
    return begun
  }

  return {
    /** Refuses once the limit is reached. What is counted may then be more. */
    consume(limit: ReadLimit, by: string, points = 1) {
      const { ends, points: pointsOf } = countsOf(limit)
      const before = pointsOf.get(by) ?? 0
      if (before >= configured[limit].tries) {
        const retryAfter = Math.ceil((ends - Date.now()) / 1000)
        throw new Refusal('auth/too-many-requests', { retryAfter }, limit)
      }
      pointsOf.set(by, before + points)
    },
  }
}
