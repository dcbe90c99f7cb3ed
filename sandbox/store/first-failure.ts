import type { Log } from './tx.ts'

/** Runs work that is repeated. Of failures in a row, only the first one is logged. */
export function loggingFirstFailure(log: Log, message: string) {
  let isFailing = false
  return async (work: () => Promise<void>) => {
    try {
      await work()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.error({ err: error }, message)
      isFailing = true
    }
  }
}
