import { rateLimits as configured } from '#config/limits.ts'
import type { Reason } from '#contract/refusals.ts'
import { Refusal, isRefusal } from '../platform/refusal.ts'
import type { Db } from '../store/database.ts'
import type { Count } from '../store/count-of.ts'
import * as counts from '../store/rate-limits.ts'

export type LimitName = keyof typeof configured
export type RateLimits = ReturnType<typeof openRateLimits>

/** All servers share the counts. `by` names what has a count: an account, a network, a device. */
export function openRateLimits(db: Db) {
  const rateLimits = {
    /**
     * Counts one try. Beyond the limit it refuses, with the seconds to wait as `retryAfter`. In a
     * transaction, a try counts only if the transaction succeeds.
     */
    async consume(limit: LimitName, by: string, reason?: Reason) {
      await rateLimits.consumeAll([{ limit, by, reason }])
    },
    /** Counts one try of each limit. The first one beyond its limit refuses. */
    async consumeAll(tries: { limit: LimitName; by: string; reason?: Reason | undefined }[]) {
      const found = await counts.count(
        db,
        tries.map(({ limit, by }) => limited(limit, by)),
      )
      for (const [index, { limit, reason }] of tries.entries())
        refuseBeyond(limit, found[index]!, reason)
    },
    async tryConsume(limit: LimitName, by: string) {
      return (await rateLimits.increment(limit, by)) <= configured[limit].tries
    },
    async increment(limit: LimitName, by: string) {
      const [count] = await counts.count(db, [limited(limit, by)])
      return count!.points
    },
    giveBack: (limit: LimitName, by: string) => counts.takeBack(db, [keyOf(limit, by)]),
    reset: (limit: LimitName, by: string) => counts.reset(db, { keys: [keyOf(limit, by)] }),
    /** Counts each try before it starts, so that parallel tries can't exceed the limit. */
    async limitFailures<Answer>(
      limit: LimitName,
      by: string,
      attempt: () => Promise<Answer>,
      reason?: Reason,
    ) {
      await rateLimits.consume(limit, by)
      try {
        const answer = await attempt()
        await rateLimits.giveBack(limit, by)
        return answer
      } catch (error) {
        const counts = reason
          ? isRefusal(error, reason)
          : error instanceof Refusal && error.reason !== 'unavailable'
        if (!counts) await rateLimits.giveBack(limit, by)
        throw error
      }
    },
  }
  return rateLimits
}

function limited(limit: LimitName, by: string): counts.Limited {
  return { key: keyOf(limit, by), within: configured[limit].within }
}

function keyOf(limit: LimitName, by: string) {
  return `${limit}:${by}`
}

export function refuseBeyond(
  limit: LimitName,
  { points, expire }: Omit<Count, 'key'>,
  reason: Reason = 'auth/too-many-requests',
) {
  if (points <= configured[limit].tries) return
  throw new Refusal(reason, { retryAfter: Math.ceil((expire - Date.now()) / 1000) })
}
