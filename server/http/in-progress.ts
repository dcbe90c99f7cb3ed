import { limits } from '#config/limits.ts'
import { Refusal } from '../platform/refusal.ts'

export type InProgress = ReturnType<typeof openInProgress>

/** The calls that are not answered yet. Each has a time limit, and all can be refused at once. */
export function openInProgress() {
  // A set whose members come and go would keep their memory until the next full collection.
  const refusing: (((refusal: Refusal) => void) | undefined)[] = []
  const free: number[] = []

  return {
    /** Waits for the answer, unless the call is refused before. The work itself goes on. */
    async answer<Answer>(work: Promise<Answer>): Promise<Answer> {
      const { promise: refused, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(new Refusal('timeout')), limits.calls.timeout)
      const place = free.pop() ?? refusing.length
      refusing[place] = reject
      try {
        return await Promise.race([work, refused])
      } finally {
        refusing[place] = undefined
        free.push(place)
        clearTimeout(timer)
      }
    },

    /** Refuses all calls, because the database is silent or the server stops. */
    refuseAll() {
      for (const refuse of refusing) refuse?.(new Refusal('unavailable'))
    },
  }
}
