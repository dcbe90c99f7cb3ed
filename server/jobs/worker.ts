import {
  Logger as WorkerLogger,
  parseCrontab,
  run,
  runMigrations,
  type Job,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import { EventEmitter } from 'node:events'
import type pg from 'pg'
import type { Logger } from 'pino'
import { finishHandOverInTurn } from '../billing/hand-over.ts'
import { removeCardLeft } from '../billing/remove-card.ts'
import { settleInTurn } from '../billing/settle.ts'
import type { Mailer } from '../providers/mail/mailer.ts'
import type { Services } from '../core/services.ts'
import { comparePage, compareWithProvider } from '../billing/compare-with-provider.ts'
import { followOwner } from '../billing/follow-owner.ts'
import { mailNewDevice } from '../identity/mail-new-device.ts'
import { mailReset } from '../identity/mail-reset.ts'
import { reconcile } from '../billing/reconcile.ts'
import { recordFailedSignIn } from '../identity/record-failed-sign-in.ts'
import { tellOfTransfer } from '../billing/tell-of-transfer.ts'
import { tidyUp } from './tidy-up.ts'
import { workOnEvent } from '../billing/work-on-event.ts'
import { sendMail } from '../mails/send-mail.ts'
import type { JobPayloads } from '../core/jobs.ts'

type Tools = { services: Services; mailer: Mailer; publicUrl: string }
type How = { alone: boolean; scheduled: boolean }
type Tasks = { [Name in keyof JobPayloads]: (payload: JobPayloads[Name]) => Promise<void> }

/**
 * Minute, hour, day, month, weekday; in UTC. Jobs of one queue are done one after the other, and of those that wait under one key there is
 * one.
 */
const crontab = `
*/5 * * * * reconcile ?queue=reconcile&jobKey=reconcile
17 * * * * tidyUp
23 3 * * * compareWithProvider ?queue=compareWithProvider&jobKey=compareWithProvider
`

/**
 * Runs jobs until it is stopped; a job in work is finished first. `alone`: no other server is at work. `scheduled`: those of the crontab,
 * too.
 */
export async function startWorker(pool: pg.Pool, tools: Tools, { alone, scheduled }: How) {
  const logger = new WorkerLogger(() => logTo(tools.services.log))
  await runMigrations({ pgPool: pool, logger })
  const { jobs, serverId } = tools.services
  await jobs.releaseAbandoned({ asker: serverId })
  if (alone) await endWhatStopped(tools.services)
  const tasks = {
    sendMail: (payload) => sendMail(payload, tools),
    mailPasswordReset: (payload) => mailReset(payload, tools.services),
    mailNewDevice: (payload) => mailNewDevice(payload, tools.services),
    recordFailedSignIn: (payload) => recordFailedSignIn(payload, tools.services),
    workOnEvent: (payload) => workOnEvent(payload, tools.services),
    followOwner: (payload) => followOwner(payload, tools.services),
    settlePurchase: ({ subscriptionId }) => settleInTurn(subscriptionId, tools.services),
    removeCustomer: ({ customerId }) => tools.services.payments.removeCustomer(customerId),
    compareWithProvider: () => compareWithProvider(tools.services),
    comparePage: (payload) => comparePage(payload, tools.services),
    finishHandOver: ({ subscriptionId }) => finishHandOverInTurn(subscriptionId, tools.services),
    removeCard: (payload) => removeCardLeft(payload, tools.services),
    tellOfTransfer: (payload) => tellOfTransfer(payload, tools.services),
    reconcile: ({ begunBefore }) =>
      reconcile(tools.services, begunBefore === undefined ? undefined : new Date(begunBefore)),
  } satisfies Tasks
  const ofTheCrontab = {
    tidyUp: () => tidyUp(tools.services),
  }
  const events: WorkerEvents = new EventEmitter()
  // Each job that it takes is locked by this id. The library makes one up, of which nobody could say whether its server lives.
  events.on('pool:create', ({ workerPool }) => (workerPool.id = serverId))
  return run({
    pgPool: pool,
    events,
    taskList: { ...tasks, ...ofTheCrontab } as TaskList,
    parsedCronItems: scheduled ? parseCrontab(crontab) : [],
    concurrency: 4,
    pollInterval: 2000,
    noHandleSignals: true,
    logger,
  })
}

/** Nobody else is at work: whatever is under way is left of a server that died. */
async function endWhatStopped({ store, jobs, now }: Services) {
  await store.billing.endAllTurns()
  await store.idempotency.releaseAll()
  await jobs.add(
    'reconcile',
    { begunBefore: now().toISOString() },
    { key: 'reconcile after the start' },
  )
}

/** Failures are worth a line, everything else is detail. A job's payload is never logged, nor what a query was given: mails carry codes. */
function logTo(log: Logger) {
  return (level: string, message: string, { job, error }: { job?: Job; error?: unknown } = {}) => {
    if (job && error)
      log.error(
        { source: 'jobs', task: job.task_identifier, attempt: job.attempts, err: error },
        'a job failed',
      )
    else if (level === 'error') log.error({ source: 'jobs' }, message)
    else if (level === 'warning') log.warn({ source: 'jobs' }, message)
    else log.trace({ source: 'jobs' }, message)
  }
}
