import { limits } from '#config/limits.ts'
import {
  parseCrontab,
  run,
  type JobHelpers,
  type WorkerEventMap,
  type WorkerEvents,
} from 'graphile-worker'
import { EventEmitter, once } from 'node:events'
import { setInterval, setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { billingJobs } from '../billing/jobs.ts'
import type { Services, Tasks } from '../core/services.ts'
import { identityJobs } from '../identity/jobs.ts'
import { openQuiet } from '../platform/quiet.ts'
import { sinceLoss } from '../sql/lost-connections.ts'
import { otherJobs } from './jobs.ts'
import { releasingOnce } from './releasing-once.ts'
import { runJob } from './run-job.ts'
import { workerLogger } from './worker-log.ts'

const { taken, waiting, losing, together, ending, again } = limits.jobs

type LocalQueue = WorkerEventMap['localQueue:init']['localQueue']
type How = { alone: boolean; scheduled: boolean; atOnce: number }

/** The function of every job. A job without a function does not compile. */
const tasks: Tasks = { ...billingJobs, ...identityJobs, ...otherJobs }

/** Minute, hour, day, month, weekday; in UTC. Jobs of one `queue` run one at a time. */
const crontab = `
*/5 * * * * recoverPurchases ?queue=recoverPurchases&jobKey=recoverPurchases
17 * * * * removeExpired
41 * * * * warnOfEnd
23 3 * * * reconcile ?queue=reconcile&jobKey=reconcile
`

/**
 * `alone`: no other server works on the database. `scheduled`: the crontab's jobs run too. `atOnce`:
 * how many jobs run at once.
 */
export async function startWorker(
  pool: pg.Pool,
  services: Services,
  { alone, scheduled, atOnce }: How,
) {
  const { serverId, jobs, log } = services
  if (alone) await endWhatStopped(services)
  const inProgress = new Map<string, Promise<void>>()
  const stopped = new AbortController()
  const isQuiet = openQuiet()
  const worked = work(stopped.signal)

  /** Begins again when the library has stopped, and when jobs are lost. */
  async function work(signal: AbortSignal) {
    while (!signal.aborted) {
      await workUntil(signal).catch((err: unknown) => {
        if (!signal.aborted && !isQuiet()) log.warn({ err }, 'the jobs can not go on')
      })
      await delay(again, undefined, { signal }).catch(() => undefined)
    }
  }

  async function workUntil(signal: AbortSignal) {
    await jobs.release(serverId)
    const events: WorkerEvents = new EventEmitter()
    // The library locks jobs by this id, by which other servers see whether this one is alive.
    events.on('pool:create', ({ workerPool }) => (workerPool.id = serverId))
    events.on('localQueue:init', ({ localQueue }) => letJobsGoBack(localQueue))
    // The library stops when it can't take a finished job off the queue.
    const stops = once(events, 'pool:gracefulShutdown')
    const runner = await run({
      pgPool: releasingOnce(pool),
      events,
      taskList: taskList(services, inProgress),
      parsedCronItems: scheduled ? parseCrontab(crontab) : [],
      concurrency: atOnce,
      pollInterval: 2000,
      noHandleSignals: true,
      logger: workerLogger(log),
      preset: {
        worker: {
          localQueue: { size: taken, ttl: waiting },
          completeJobBatchDelay: together,
          failJobBatchDelay: together,
        },
      },
    })
    const over = new AbortController()
    const until = AbortSignal.any([signal, over.signal])
    try {
      await Promise.race([stops, untilLost(until)])
    } finally {
      over.abort()
      const isEnded = Promise.allSettled([runner.stop(), runner.promise])
      // Does not wait long for the library: it never ends if two of its statements failed at once.
      const areDone = Promise.allSettled(inProgress.values())
      await Promise.race([isEnded, areDone.then(() => delay(ending))])
    }
  }

  /**
   * Resolves when the server holds jobs that it knows nothing of, because the answer was lost with
   * a connection. The database may have answered long after that. Rejects when `signal` aborts.
   */
  async function untilLost(signal: AbortSignal) {
    for await (const _ of setInterval(losing.look, undefined, { signal })) {
      if (sinceLoss(pool) > losing.during) continue
      const lost = await jobs.countLost(serverId, inProgress.keys())
      if (lost > 0) return log.warn({ jobs: lost }, 'lost jobs are taken again')
    }
    return undefined
  }

  return {
    /** The jobs that are taken and not begun go back to the queue. */
    async stop() {
      stopped.abort()
      await worked
    },
  }
}

/** What the library's queue of jobs that are taken and not begun keeps to itself. */
type Background = {
  backgroundCount: number
  decreaseBackgroundCount: () => void
  decreaseBackgroundCountWithError: (error: unknown) => void
  background: (work: Promise<unknown>) => void
}

/**
 * When the library's queue ends, it gives its jobs back in the background. Its version 0.18 takes
 * its own end for a reason to refuse that, and then nobody handles a failure: the process ends.
 */
function letJobsGoBack(localQueue: LocalQueue) {
  const queue = localQueue as unknown as Background
  queue.background = (work) => {
    queue.backgroundCount++
    work.then(queue.decreaseBackgroundCount, queue.decreaseBackgroundCountWithError)
  }
}

/** The jobs' functions, which note themselves in `inProgress` by the id of the job. */
function taskList(services: Services, inProgress: Map<string, Promise<void>>) {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, run]) => [
      name,
      (_payload: unknown, { job }: JobHelpers) => {
        const ended = runJob(run, job, services).finally(() => inProgress.delete(job.id))
        inProgress.set(job.id, ended)
        return ended
      },
    ]),
  )
}

/** Releases all leases, and adds the job that recovers what was interrupted. */
async function endWhatStopped({ store, jobs, now }: Services) {
  await store.billing.releaseAllLeases()
  await jobs.add(
    'recoverPurchases',
    { begunBefore: now().toISOString() },
    { key: 'recover after the start' },
  )
}
