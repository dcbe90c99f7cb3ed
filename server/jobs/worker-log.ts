import { Logger as WorkerLogger, type Job as WorkerJob } from 'graphile-worker'
import type { Logger } from 'pino'

type Details = { job?: WorkerJob; error?: unknown }

/** Logs failed jobs as errors. Never logs a job's payload, because mails contain secret codes. */
export function workerLogger(log: Logger) {
  return new WorkerLogger(() => (level, message, { job, error }: Details) => {
    if (job && error)
      log.error(
        { source: 'jobs', task: job.task_identifier, attempt: job.attempts, err: error },
        'a job failed',
      )
    else if (level === 'error') log.error({ source: 'jobs' }, message)
    else if (level === 'warning') log.warn({ source: 'jobs' }, message)
    else log.trace({ source: 'jobs' }, message)
  })
}
