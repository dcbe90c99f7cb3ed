import { engineLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { isUnavailable } from '../core/to-refusal.ts'
import type { Bell } from '../platform/bell.ts'
import { openDatabase } from '../sql/database.ts'
import * as outbox from '../store/outbox.ts'

const { batch, pause, poll } = engineLimits.outbox

/**
 * Tells the listening servers what transactions have put into the outbox. One server does so at a
 * time: see docs/decisions/013-few-round-trips.md.
 */
export function openRelay(pool: pg.Pool, log: Logger, bell: Bell) {
  const db = openDatabase(pool)
  let isStopped = false
  let isRunning: Promise<void> | undefined
  /** The oldest entry when somebody last looked, and when it was first seen. */
  let seen = { id: -1, at: 0 }

  return {
    start() {
      isRunning = run()
    },
    countWaiting,
    async stop() {
      isStopped = true
      bell.ring()
      await isRunning
    },
  }

  async function tell() {
    return outbox.tell(db, batch).catch((error: unknown) => {
      // While the database is away, one line tells so: see running/database-watch.ts.
      const level = isUnavailable(error) ? 'debug' : 'warn'
      log[level]({ err: error }, 'notices could not be told')
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
      const count = await tell()
      if (count === batch) continue
      await delay(Math.min(pause.least + count, pause.most))
      await bell.sleep(poll)
    }
  }
}
