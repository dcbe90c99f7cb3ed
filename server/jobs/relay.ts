import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { maxAttempts } from '../core/jobs.ts'
import { isUnavailable } from '../core/to-refusal.ts'
import { patience } from '../sql/patience.ts'
import { openDatabase } from '../sql/database.ts'
import * as outbox from '../store/outbox.ts'

const { batch, pause, poll } = limits.outbox

export type Relay = ReturnType<typeof openRelay>

/**
 * Hands on what transactions have put into the outbox: jobs to the queue, notices to the listening
 * servers. One server works at a time: see docs/decisions/013-few-round-trips.md.
 */
export function openRelay(pool: pg.Pool, log: Logger) {
  const db = openDatabase(pool)
  const stopped = new AbortController()
  let woken = Promise.withResolvers<void>()
  let isRunning: Promise<void> | undefined
  /** The oldest entry when somebody last looked, and when it was first seen. */
  let seen = { id: -1, at: 0 }

  return {
    start() {
      isRunning = run()
    },
    /** The outbox probably has new entries. */
    wake: () => woken.resolve(),
    countWaiting,
    async stop() {
      stopped.abort()
      woken.resolve()
      await isRunning
    },
  }

  async function handOn() {
    return outbox.handOn(db, { limit: batch, maxAttempts }).catch((error: unknown) => {
      // While the database is away, one line tells so: see core/database-watch.ts.
      const level = isUnavailable(error) ? 'debug' : 'warn'
      log[level]({ err: error }, 'the outbox could not be handed on')
      return 0
    })
  }

  /** The outbox has no times, so the oldest entry's age is counted from when it was first seen. */
  async function countWaiting() {
    const { count, oldest } = await outbox.countWaiting(db)
    const now = performance.now()
    if (oldest === null) return { count, oldestSeconds: 0 }
    if (oldest !== seen.id) seen = { id: oldest, at: now }
    return { count, oldestSeconds: (now - seen.at) / 1000 }
  }

  async function run() {
    const { signal } = stopped
    while (!signal.aborted) {
      woken = Promise.withResolvers()
      const count = await atMost(patience.answering, handOn())
      if (count === batch) continue
      const rest = Math.min(pause.least + count, pause.most)
      await delay(rest, undefined, { signal }).catch(() => undefined)
      const next = new AbortController()
      const polled = delay(poll, undefined, { signal: next.signal }).catch(() => undefined)
      await Promise.race([woken.promise, polled])
      next.abort()
    }
  }
}

/** The answer, or 0 after so many milliseconds: the network may have lost the connection. */
async function atMost(time: number, work: Promise<number>) {
  const answered = new AbortController()
  const tooLate = delay(time, 0, { signal: answered.signal }).catch(() => 0)
  return Promise.race([work, tooLate]).finally(() => answered.abort())
}
