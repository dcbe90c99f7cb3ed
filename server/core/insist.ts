import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from './to-refusal.ts'

/**
 * Makes a change that nobody else makes later. While the database is away, it is tried again in the
 * background, so it must do no harm when it runs twice.
 */
export async function insist(change: () => Promise<unknown>) {
  await change().catch((error: unknown) => {
    if (!isUnavailable(error)) throw error
    void keepTrying(change)
  })
}

async function keepTrying(change: () => Promise<unknown>) {
  for (;;) {
    await delay(limits.database.pause, undefined, { ref: false })
    try {
      return await change()
    } catch (error) {
      if (!isUnavailable(error)) return undefined
    }
  }
}
