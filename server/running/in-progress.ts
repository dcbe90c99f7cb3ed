import { limits } from '#config/limits.ts'
import { Refusal } from '../platform/refusal.ts'

type Call = { since: number; refuse: (refusal: Refusal) => void }

export type InProgress = ReturnType<typeof openInProgress>

/** The calls that are not answered yet. Each has a time limit, and all can be refused at once. */
export function openInProgress() {
  // A set whose members come and go would keep their memory until the next full collection.
  const calls: (Call | undefined)[] = []
  const free: number[] = []

  return {
    /** Waits for the answer, unless the call is refused before. The work itself goes on. */
    async answer<Answer>(work: Promise<Answer>): Promise<Answer> {
      const { promise: refused, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(new Refusal('timeout')), limits.calls.timeout)
      const place = free.pop() ?? calls.length
      calls[place] = { since: performance.now(), refuse: reject }
      try {
        return await Promise.race([work, refused])
      } finally {
        calls[place] = undefined
        free.push(place)
        clearTimeout(timer)
      }
    },

    /**
     * Refuses the calls that have been in progress for `atLeast` milliseconds, because the database
     * can't be used or the server stops.
     */
    refuse(atLeast = 0) {
      const begunBefore = performance.now() - atLeast
      for (const call of calls)
        if (call && call.since <= begunBefore) call.refuse(new Refusal('unavailable'))
    },
  }
}
