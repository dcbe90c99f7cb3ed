import { rateLimits as configured } from '#config/limits.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Db } from '../sql/database.ts'
import type { Count } from '../store/count-of.ts'
import * as counts from '../store/rate-limits.ts'

export type LimitName = keyof typeof configured
/** `by` names what has a count: an account, a network, a device. */
export type Try = [limit: LimitName, by: string]
export type RateLimits = ReturnType<typeof openRateLimits>

/** All servers share the counts. In a transaction, a try counts only if the transaction succeeds. */
export function openRateLimits(db: Db) {
  async function reset(...tries: Try[]) {
    if (tries.length > 0) await counts.reset(db, { keys: keysOf(tries) })
  }

  async function giveBack(tries: Try[]) {
    if (tries.length > 0) await counts.takeBack(db, { keys: keysOf(tries) })
  }

  /**
   * Counts one try of each limit. Beyond a limit it refuses, with the seconds to wait as
   * `retryAfter`, and the tries after that one don't count.
   */
  async function consume(...tries: Try[]) {
    const withins = tries.map((tried) => toLimited(tried).within)
    const counted = await counts.count(db, { keys: keysOf(tries), withins })
    const refused = tries.findIndex(([limit], index) => isBeyond(limit, counted[index]!))
    if (refused < 0) return
    await giveBack(tries.slice(refused + 1))
    refuseBeyond(tries[refused]![0], counted[refused]!)
  }

  /**
   * Limits how often `work` fails. A try counts before the work, so that parallel tries can't exceed
   * a limit, and is given back unless the work throws what `isFailure` says. If the work succeeds,
   * the counts of `own` begin anew.
   */
  async function attempt<Answer>(
    { own = [], shared = [] }: { own?: Try[]; shared?: Try[] },
    isFailure: (error: unknown) => boolean,
    work: () => Promise<Answer>,
  ) {
    const tries = [...own, ...shared]
    await consume(...tries)
    try {
      const answer = await work()
      await Promise.all([reset(...own), giveBack(shared)])
      return answer
    } catch (error) {
      await (isFailure(error) ? prolong(tries) : giveBack(tries))
      throw error
    }
  }

  /**
   * From half of the tries of a `slow` limit on, its count begins anew only after its time without a
   * failure. Otherwise the end of one count and the beginning of the next would have twice the tries.
   */
  async function prolong(tries: Try[]) {
    for (const tried of tries) {
      const { tries: most, slow }: { tries: number; slow?: true } = configured[tried[0]]
      if (slow) await counts.prolong(db, { ...toLimited(tried), points: most / 2 })
    }
  }

  return { consume, attempt, reset }
}

/** The refusal of a limit, as a value. */
export async function limitReached(consumed: Promise<void>) {
  return consumed.catch((error: unknown) => {
    if (error instanceof Refusal && error.limit) return error
    throw error
  })
}

/** A try that could not be judged is no failure. */
export function isFailure(error: unknown) {
  return error instanceof Refusal && error.reason !== 'unavailable'
}

export function toLimited([limit, by]: Try): counts.Limited {
  return { key: `${limit}:${by}`, within: configured[limit].within }
}

function keysOf(tries: Try[]) {
  return tries.map((tried) => toLimited(tried).key)
}

export function refuseBeyond(limit: LimitName, count: Omit<Count, 'key'>) {
  if (!isBeyond(limit, count)) return
  const retryAfter = Math.ceil((count.expire - Date.now()) / 1000)
  throw new Refusal('auth/too-many-requests', { retryAfter }, limit)
}

function isBeyond(limit: LimitName, { points }: Pick<Count, 'points'>) {
  return points > configured[limit].tries
}
