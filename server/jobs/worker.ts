import { Logger as WorkerLogger, parseCrontab, run, runMigrations, type TaskList } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Mailer } from '../providers/mail/mailer.ts'
import type { Services } from '../services.ts'
import { after } from '../sessions.ts'
import { compareWithProvider } from './compare-with-provider.ts'
import { followOwner } from './follow-owner.ts'
import { mailNewDevice } from './mail-new-device.ts'
import { mailReset } from './mail-reset.ts'
import { abandoned, reconcile } from './reconcile.ts'
import { recordFailedSignIn } from './record-failed-sign-in.ts'
import { tellOfTransfer } from './tell-of-transfer.ts'
import { tidyUp } from './tidy-up.ts'
import { workOnEvent } from './work-on-event.ts'
import { sendMail } from './send-mail.ts'
import type { JobPayloads } from './jobs.ts'

type Tools = { services: Services; mailer: Mailer; publicUrl: string }
type How = { alone: boolean; scheduled: boolean }
type Tasks = { [Name in keyof JobPayloads]: (payload: JobPayloads[Name]) => Promise<void> }

/** Minute, hour, day, month, weekday; in UTC. */
const crontab = `
*/5 * * * * reconcile
17 * * * * tidyUp
23 3 * * * compareWithProvider
`

/**
 * Runs jobs until it is stopped; a job in work is finished first. `alone`: no other server can be working on one. `scheduled`: those of the
 * crontab, too.
 */
export async function startWorker(pool: pg.Pool, tools: Tools, { alone, scheduled }: How) {
  const logger = new WorkerLogger(() => logTo(tools.services.log))
  await runMigrations({ pgPool: pool, logger })
  const takenBefore = alone ? new Date() : after(new Date(), -abandoned)
  await tools.services.jobs.releaseAbandoned({ takenBefore })
  if (alone) await endWhatStopped(tools.services)
  const tasks = {
    sendMail: (payload) => sendMail(payload, tools),
    mailPasswordReset: (payload) => mailReset(payload, tools.services),
    mailNewDevice: (payload) => mailNewDevice(payload, tools.services),
    recordFailedSignIn: (payload) => recordFailedSignIn(payload, tools.services),
    workOnEvent: (payload) => workOnEvent(payload, tools.services),
    followOwner: (payload) => followOwner(payload, tools.services),
    removeCustomer: ({ customerId }) => tools.services.payments.removeCustomer(customerId),
    tellOfTransfer: (payload) => tellOfTransfer(payload, tools.services),
    reconcile: ({ begunBefore }) => reconcile(tools.services, begunBefore === undefined ? undefined : new Date(begunBefore)),
  } satisfies Tasks
  const ofTheCrontab = {
    tidyUp: () => tidyUp(tools.services),
    compareWithProvider: () => compareWithProvider(tools.services),
  }
  return run({
    pgPool: pool,
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
  await jobs.add('reconcile', { begunBefore: now().toISOString() }, { key: 'reconcile after the start' })
}

/** Failures are worth a line, everything else is detail. A job's payload is never logged: mails carry codes. */
function logTo(log: Logger) {
  return (level: string, message: string) => {
    if (level === 'error') log.error({ source: 'jobs' }, message)
    else if (level === 'warning') log.warn({ source: 'jobs' }, message)
    else log.trace({ source: 'jobs' }, message)
  }
}
