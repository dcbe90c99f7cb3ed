import { setTimeout as delay } from 'node:timers/promises'
import type { JobPayloads } from '../core/jobs.ts'
import type { Db } from '../sql/database.ts'
import { newJob } from '../core/jobs.ts'
import * as queue from '../store/queue.ts'

/** The jobs that come back, each `every` so many minutes, `at` so many minutes after midnight UTC. */
const schedule = [
  { task: 'recoverPurchases', every: 5, at: 0, key: 'recoverPurchases' },
  { task: 'lookAhead', every: 5, at: 1, key: 'lookAhead' },
  { task: 'removeExpired', every: 60, at: 17, key: null },
  { task: 'warnOfEnd', every: 60, at: 41, key: null },
  { task: 'reconcile', every: 24 * 60, at: 3 * 60 + 23, key: 'reconcile' },
] satisfies { task: keyof JobPayloads; every: number; at: number; key: string | null }[]

const minute = 60_000

/** Adds them when they are due, until `signal` aborts. Of several servers, one adds each. */
export async function keepSchedule(db: Db, signal: AbortSignal, pause = 5000) {
  const added = schedule.map((job) => turnOf(job))
  while (!signal.aborted) {
    for (const [index, job] of schedule.entries()) {
      const turn = turnOf(job)
      if (turn === added[index]) continue
      await add(job, turn).then(
        () => (added[index] = turn),
        () => undefined,
      )
    }
    await delay(pause, undefined, { signal }).catch(() => undefined)
  }

  async function add({ task, every, key }: (typeof schedule)[number], turn: number) {
    const once = { key: `scheduled ${task} ${turn}`, within: every * minute, tries: 1 }
    await queue.addWithin(db, { job: newJob(task, {}, { key }), ...once })
  }
}

/** How often the job was due since 1970. */
function turnOf({ every, at }: { every: number; at: number }) {
  return Math.floor((Date.now() / minute - at) / every)
}
