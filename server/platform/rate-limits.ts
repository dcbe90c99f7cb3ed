import { rateLimits } from '#config/limits.ts'
import type { Reason } from '#contract/refusals.ts'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from './refusal.ts'

export type Counted = keyof typeof rateLimits
export type Attempts = ReturnType<typeof openAttempts>

/** Counts tries in the store, so that several servers share the count. */
export function openAttempts(pool: pg.Pool) {
  const limiters = Object.fromEntries(
    Object.entries(rateLimits).map(([name, { tries, within }]) => [
      name,
      new RateLimiterPostgres({
        storeClient: pool,
        tableName: 'rate_limits',
        tableCreated: true,
        keyPrefix: name,
        points: tries,
        duration: within / 1000,
      }),
    ]),
  ) as Record<Counted, RateLimiterPostgres>

  const attempts = {
    /** Counts one try, and refuses it if there were too many, with the seconds to wait. */
    async take(counted: Counted, by: string, reason: Reason = 'auth/too-many-requests') {
      await limiters[counted].consume(by).catch((state: unknown) => refuse(state, reason))
    },
    /** Takes a counted try back: it was none of those that are meant. */
    async giveBack(counted: Counted, by: string) {
      const state = await limiters[counted].get(by)
      // In the next window there is nothing to take back: below zero it would be credit for more tries.
      if (state && state.consumedPoints > 0) await limiters[counted].reward(by)
    },
    /** Counts one try, and refuses none: how many there were. */
    async count(counted: Counted, by: string) {
      return (await limiters[counted].penalty(by)).consumedPoints
    },
    /** Counts one try, and says whether it is within the limit: for what is left out beyond it, not refused. */
    async isWithin(counted: Counted, by: string) {
      return (await attempts.count(counted, by)) <= rateLimits[counted].tries
    },
    async forget(counted: Counted, by: string) {
      await limiters[counted].delete(by)
    },
    /** Counts the try before it is made, so that many at once are many, and takes it back if it was a good one or could not be made. */
    async countFailed<Answer>(counted: Counted, by: string, attempt: () => Promise<Answer>) {
      await attempts.take(counted, by)
      try {
        const answer = await attempt()
        await attempts.giveBack(counted, by)
        return answer
      } catch (error) {
        if (!(error instanceof Refusal) || error.reason === 'unavailable')
          await attempts.giveBack(counted, by)
        throw error
      }
    },
    /** Counts the try before it is made, and takes it back if it came to nothing, even if only because there were too many. */
    async countDone<Answer>(
      counted: Counted,
      by: string,
      attempt: () => Promise<Answer>,
      reason?: Reason,
    ) {
      try {
        await attempts.take(counted, by, reason)
        return await attempt()
      } catch (error) {
        await attempts.giveBack(counted, by)
        throw error
      }
    },
  }
  return attempts
}

function refuse(state: unknown, reason: Reason): never {
  if (state instanceof RateLimiterRes)
    throw new Refusal(reason, { retryAfter: Math.ceil(state.msBeforeNext / 1000) })
  throw state
}
