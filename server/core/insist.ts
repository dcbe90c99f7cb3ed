import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { toRefusal } from './to-refusal.ts'

/**
 * Makes a change that nobody else makes later. While the database is away, it is tried again in the
 * background, so it must do no harm when it runs twice.
 */
export async function insist(change: () => Promise<unknown>) {
  await change().catch((error: unknown) => void tryAgain(error, change))
}

async function tryAgain(error: unknown, change: () => Promise<unknown>) {
  let failure: unknown = error
  while (failure !== undefined && toRefusal(failure).reason === 'unavailable') {
    await delay(limits.database.pause, undefined, { ref: false })
    failure = await change().then(
      () => undefined,
      (error: unknown) => error,
    )
  }
}
