import { limits } from '#config/limits.ts'
import { Refusal } from '../platform/refusal.ts'

export type InProgress = ReturnType<typeof openInProgress>

/** The calls that are not answered yet. Each has a time limit, and all can be refused at once. */
export function openInProgress() {
  const refusing = new Set<(refusal: Refusal) => void>()

  return {
    /** Waits for the answer, unless the call is refused before. The work itself goes on. */
    async answer<Answer>(work: Promise<Answer>): Promise<Answer> {
      const { promise: refused, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(new Refusal('timeout')), limits.calls.timeout)
      refusing.add(reject)
      try {
        return await Promise.race([work, refused])
      } finally {
        refusing.delete(reject)
        clearTimeout(timer)
      }
    },

    /** Refuses all calls, because the database is silent or the server stops. */
    refuseAll() {
      for (const refuse of refusing) refuse(new Refusal('unavailable'))
    },
  }
}
