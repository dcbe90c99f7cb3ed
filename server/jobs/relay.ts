import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { maxAttempts } from '../core/jobs.ts'
import { isUnavailable } from '../core/to-refusal.ts'
import { openBell } from '../platform/bell.ts'
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
  const bell = openBell()
  let isStopped = false
  let isRunning: Promise<void> | undefined
  /** The oldest entry when somebody last looked, and when it was first seen. */
  let seen = { id: -1, at: 0 }

  return {
    start() {
      isRunning = run()
    },
    /** The outbox probably has new entries. */
    wake: () => bell.ring(),
    countWaiting,
    async stop() {
      isStopped = true
      bell.ring()
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
    while (!isStopped) {
      const count = await handOn()
      if (count === batch) continue
      await delay(Math.min(pause.least + count, pause.most))
      await bell.sleep(poll)
    }
  }
}
