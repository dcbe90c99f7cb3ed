import { rateLimits as configured } from '#config/limits.ts'
import type { Reason } from '#contract/refusals.ts'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { isRefusal, Refusal } from './refusal.ts'

type LimitName = keyof typeof configured
export type RateLimits = ReturnType<typeof openRateLimits>

/** All servers share the counts. `by` names what has a count: an account, a network, a device. */
export function openRateLimits(pool: pg.Pool) {
  const limiters = Object.fromEntries(
    Object.entries(configured).map(([name, { tries, within }]) => [
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
  ) as Record<LimitName, RateLimiterPostgres>

  const rateLimits = {
    /** Counts one try. Beyond the limit it refuses, with the seconds to wait as `retryAfter`. */
    async consume(limit: LimitName, by: string, reason: Reason = 'auth/too-many-requests') {
      await limiters[limit].consume(by).catch((state: unknown) => {
        if (!(state instanceof RateLimiterRes)) throw state
        throw new Refusal(reason, { retryAfter: Math.ceil(state.msBeforeNext / 1000) })
      })
    },
    async tryConsume(limit: LimitName, by: string) {
      return (await rateLimits.increment(limit, by)) <= configured[limit].tries
    },
    async increment(limit: LimitName, by: string) {
      return (await limiters[limit].penalty(by)).consumedPoints
    },
    async giveBack(limit: LimitName, by: string) {
      const state = await limiters[limit].get(by)
      // In a new time window there is nothing to take back. A negative count would allow more.
      if (state && state.consumedPoints > 0) await limiters[limit].reward(by)
    },
    async reset(limit: LimitName, by: string) {
      await limiters[limit].delete(by)
    },
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
    /** Limits successful tries. Takes a try back if it fails or exceeds the limit. */
    async limitSuccesses<Answer>(
      limit: LimitName,
      by: string,
      attempt: () => Promise<Answer>,
      reason?: Reason,
    ) {
      try {
        await rateLimits.consume(limit, by, reason)
        return await attempt()
      } catch (error) {
        await rateLimits.giveBack(limit, by)
        throw error
      }
    },
  }
  return rateLimits
}
