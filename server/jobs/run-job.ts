import type { Job, Services } from '../core/services.ts'
import type { Work } from '../observe/observer.ts'
import type { TakenJob } from '../store/queue.ts'
import { maxAttempts } from '../store/schema.ts'

/**
 * Runs a job, and logs and measures each try. Logs no payload, because mails contain secret codes,
 * except which subscription the job is about.
 */
export async function runJob(
  run: Job<never>,
  { id, task, attempts, payload }: TakenJob,
  services: Services,
) {
  const { subscriptionId: subscription } = (payload ?? {}) as { subscriptionId?: string }
  const work: Work = { kind: 'job', task }
  const began = performance.now()
  const ms = () => Math.round(performance.now() - began)
  await services.observer.watch(work, async () => {
    const about = { task, job: id, attempt: attempts, subscription, ...work.trace }
    const log = services.log.child(about)
    try {
      await run(payload as never, { ...services, log }, id)
      work.outcome = 'ok'
      log.info({ ms: ms() }, 'a job')
    } catch (err) {
      const isLast = attempts >= maxAttempts
      work.outcome = isLast ? 'failed' : 'retried'
      if (isLast) log.error({ ms: ms(), err }, failedForGood)
      else log.warn({ ms: ms(), err }, 'a job failed, and is tried again')
      throw err
    }
  })
}

const failedForGood =
  'a job has failed for good: npm run admin -- jobs failed lists it, and retry ID or drop ID settles it'
