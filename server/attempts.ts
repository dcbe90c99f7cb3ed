import { limits } from '#config/limits.ts'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from './refusal.ts'

export type Counted = keyof typeof limits.attempts
export type Attempts = ReturnType<typeof openAttempts>

/** Counts tries in the store, so that several servers share the count. */
export function openAttempts(pool: pg.Pool) {
  const limiters = Object.fromEntries(
    Object.entries(limits.attempts).map(([name, { tries, within }]) => [
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

  return {
    /** Counts one try, and refuses it if there were too many, with the seconds to wait. */
    async take(counted: Counted, by: string) {
      await limiters[counted].consume(by).catch(refuse)
    },
    async forget(counted: Counted, by: string) {
      await limiters[counted].delete(by)
    },
    /** Refuses without counting: for tries of which only the failed ones count. */
    async check(counted: Counted, by: string) {
      const state = await limiters[counted].get(by)
      if (state && state.remainingPoints <= 0) refuse(state)
    },
  }
}

function refuse(state: unknown): never {
  if (state instanceof RateLimiterRes) throw new Refusal('auth/too-many-requests', { retryAfter: Math.ceil(state.msBeforeNext / 1000) })
  throw state
}
