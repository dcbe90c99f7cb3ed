import { rateLimits as configured } from '#config/limits.ts'
import type { Reason } from '#contract/refusals.ts'
import { Refusal, isRefusal } from '../platform/refusal.ts'
import type { Db } from '../sql/database.ts'
import type { Count } from '../store/count-of.ts'
import * as counts from '../store/rate-limits.ts'

export type LimitName = keyof typeof configured
/** `by` names what has a count: an account, a network, a device. */
export type Try = [limit: LimitName, by: string]
export type RateLimits = ReturnType<typeof openRateLimits>

/** All servers share the counts. */
export function openRateLimits(db: Db) {
  /** Counts a try of each limit at once, up to the first that refuses. */
  async function countAll(tries: Try[]) {
    const counted = await rateLimits.count(...tries)
    const at = tries.findIndex(([limit], index) => isBeyond(limit, counted[index]!))
    if (at < 0) return undefined
    await rateLimits.giveBack(...tries.slice(at + 1))
    return refusalOf(tries[at]![0], counted[at]!)
  }

  const rateLimits = {
    /**
     * Counts one try. Beyond the limit it refuses, with the seconds to wait as `retryAfter`. In a
     * transaction, a try counts only if the transaction succeeds.
     */
    async consume(limit: LimitName, by: string, reason?: Reason) {
      const [count] = await rateLimits.count([limit, by])
      refuseBeyond(limit, count!, reason)
    },
    /** Counts one try of each limit. Beyond a limit it refuses, and the tries after that don't count. */
    async consumeAll(...tries: Try[]) {
      const refusal = await countAll(tries)
      if (refusal) throw refusal
    },
    async tryConsume(...tries: Try[]) {
      return (await rateLimits.findRefusal(...tries)) === undefined
    },
    /** Consumes one try of each limit, or none of those after the first that refuses. */
    findRefusal: (...tries: Try[]) => countAll(tries),
    /**
     * From half of the tries on, the count begins anew only after its time without a call of this.
     * Otherwise the end of one count and the beginning of the next would have twice the tries.
     */
    async prolong(...tried: Try) {
      await counts.prolong(db, toLimited(tried), configured[tried[0]].tries / 2)
    },
    /** Counts one try of each limit, also beyond them: see `refuseBeyond`. */
    count: (...tries: Try[]) => counts.count(db, tries.map(toLimited)),
    async giveBack(...tries: Try[]) {
      if (tries.length > 0) await counts.takeBack(db, tries.map(toKey))
    },
    reset: (...tries: Try[]) => counts.reset(db, { keys: tries.map(toKey) }),
    /** Resets limits, gives back tries of others and consumes one, all at once. */
    async settle(done: { reset: Try[]; giveBack: Try[]; consume: Try }) {
      const [forgotten, takenBack] = [done.reset.map(toKey), done.giveBack.map(toKey)]
      const counted = toLimited(done.consume)
      refuseBeyond(done.consume[0], await counts.settle(db, { forgotten, takenBack, counted }))
    },
    /**
     * Limits the refusals of an attempt for this reason. Counts each try before it starts, so that
     * parallel tries can't exceed the limit.
     */
    async limitFailures<Answer>(
      limit: LimitName,
      by: string,
      attempt: () => Promise<Answer>,
      reason: Reason,
    ) {
      await rateLimits.consume(limit, by)
      try {
        const answer = await attempt()
        await rateLimits.giveBack([limit, by])
        return answer
      } catch (error) {
        if (!isRefusal(error, reason)) await rateLimits.giveBack([limit, by])
        throw error
      }
    },
  }
  return rateLimits
}

/** A try that could not be judged is no failure. */
export function isFailure(error: unknown) {
  return error instanceof Refusal && error.reason !== 'unavailable'
}

export function toLimited([limit, by]: Try): counts.Limited {
  return { key: toKey([limit, by]), within: configured[limit].within }
}

function toKey([limit, by]: Try) {
  return `${limit}:${by}`
}

export function refuseBeyond(limit: LimitName, count: Omit<Count, 'key'>, reason?: Reason) {
  const refusal = refusalBeyond(limit, count, reason)
  if (refusal) throw refusal
}

export function refusalBeyond(limit: LimitName, count: Omit<Count, 'key'>, reason?: Reason) {
  return isBeyond(limit, count) ? refusalOf(limit, count, reason) : undefined
}

function refusalOf(
  limit: LimitName,
  { expire }: Pick<Count, 'expire'>,
  reason: Reason = 'auth/too-many-requests',
) {
  return new Refusal(reason, { retryAfter: Math.ceil((expire - Date.now()) / 1000) }, limit)
}

function isBeyond(limit: LimitName, { points }: Pick<Count, 'points'>) {
  return points > configured[limit].tries
}
