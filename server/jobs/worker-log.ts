import { Logger as WorkerLogger } from 'graphile-worker'
import type { Logger } from 'pino'

/** Logs what the library reports. `runJob` logs the jobs that fail, with their payload left out. */
export function workerLogger(log: Logger) {
  return new WorkerLogger(() => (level, message, details: { failure?: boolean }) => {
    if (details.failure) return
    if (level === 'error') log.error({ source: 'jobs' }, message)
    else if (level === 'warning') log.warn({ source: 'jobs' }, message)
    else log.trace({ source: 'jobs' }, message)
  })
}
