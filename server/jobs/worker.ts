import { engineLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { billingJobs } from '../billing/jobs.ts'
import type { Job, Services, Tasks } from '../core/services.ts'
import { identityJobs } from '../identity/jobs.ts'
import type { Work } from '../observe/observer.ts'
import type { Bell } from '../platform/bell.ts'
import { openQuiet } from '../platform/quiet.ts'
import { openDatabase } from '../sql/database.ts'
import * as queue from '../store/queue.ts'
import type { Over, TakenJob } from '../store/queue.ts'
import { maxAttempts } from '../store/schema.ts'
import { otherJobs } from './jobs.ts'
import { keepSchedule } from './schedule.ts'

const { ahead, together, poll, lost, again } = engineLimits.jobs

/** The function of every job of the core. A job without a function does not compile. */
const ofCore: Tasks = { ...billingJobs, ...identityJobs, ...otherJobs }

type How = { bell: Bell; alone: boolean; scheduled: boolean; atOnce: number }

/**
 * Works on the jobs of the queue: see docs/decisions/018-a-queue-of-our-own.md. `bell` rings when
 * there may be new ones. `alone`: no other server works on the database. `scheduled`: jobs that come
 * back are added, too. `atOnce`: how many run at once.
 */
export async function startWorker(
  pool: pg.Pool,
  services: Services,
  { bell, alone, scheduled, atOnce }: How,
) {
  const { serverId: server, log, modules } = services
  const tasks: Record<string, Job<never>> = { ...ofCore, ...modules.jobs }
  const db = openDatabase(pool)
  if (alone) await endWhatStopped(services)
  const stopped = new AbortController()
  const { signal } = stopped
  /** What this server has taken: jobs that wait for a place, run, and are over. */
  const waiting: TakenJob[] = []
  const running = new Map<string, Promise<void>>()
  let over: Over[] = []
  let lookedForLost = -Infinity
  const isQuiet = openQuiet()
  const besides = modules.hooks.flatMap(([, { startWork }]) => startWork?.(services) ?? [])
  const worked = Promise.all([work(), scheduled && keepSchedule(db, signal)])

  async function work() {
    while (!signal.aborted) {
      for (const { look } of besides) look()
      await lookAfter().catch((err: unknown) => {
        if (!isQuiet()) log.warn({ err }, 'the jobs can not go on')
        return delay(again)
      })
      await delay(together)
      await bell.sleep(poll)
    }
    waiting.length = 0
    await Promise.all([...running.values(), ...besides.map(({ stop }) => stop())])
    await takeOff().catch((err: unknown) => log.warn({ err }, 'jobs that are over will run again'))
  }

  /** Nothing else takes jobs meanwhile, so what `free` finds is lost. */
  async function lookAfter() {
    await takeOff()
    const limit = atOnce + ahead - running.size - waiting.length
    if (limit === 0) return
    const took = await queue.take(db, { server, tasks: Object.keys(tasks), limit })
    waiting.push(...took)
    begin()
    // There may be more.
    if (took.length === limit) bell.ring()
    if (performance.now() > lookedForLost + lost) await freeLost()
  }

  function begin() {
    while (running.size < atOnce && waiting.length > 0) {
      const job = waiting.shift()!
      running.set(job.id, run(job))
    }
  }

  async function run(job: TakenJob) {
    const { id } = job
    // The queue keeps no null character.
    const textOf = (error: Error) => error.message.replaceAll('\0', '')
    const ended = await runJob(tasks[job.task]!, job, services).then(
      () => ({ id }),
      (error: Error) => ({ id, error: textOf(error) }),
    )
    running.delete(id)
    over.push(ended)
    if (!signal.aborted) begin()
    bell.ring()
  }

  async function takeOff() {
    const ended = [...over]
    if (ended.length > 0) await queue.end(db, server, ended)
    over = over.slice(ended.length)
  }

  async function freeLost() {
    const known = [...waiting, ...over].map(({ id }) => id)
    const count = await queue.free(db, server, [...known, ...running.keys()])
    await queue.moveFormer(db)
    lookedForLost = performance.now()
    if (count > 0) log.warn({ jobs: count }, 'lost jobs are taken again')
  }

  return {
    /** Lets the jobs end that have begun. Those that have not begun are freed with the server's row. */
    async stop() {
      stopped.abort()
      bell.ring()
      await worked
    },
  }
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

/**
 * Runs a job, and logs and measures each try. Logs no payload, because mails contain secret codes,
 * except which subscription the job is about.
 */
async function runJob(
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
