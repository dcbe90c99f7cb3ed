import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from './to-refusal.ts'

const { pause, undoing } = limits.database

type Change = () => Promise<unknown>

/**
 * Makes a change that nobody else makes later. While the database is away, which `error` may have
 * shown already, it is tried again in the background, so it must do no harm when it runs twice.
 */
export async function insist(change: Change, error?: unknown) {
  if (isUnavailable(error)) return void keepTrying(change)
  await change().catch((error: unknown) => {
    if (!isUnavailable(error)) throw error
    void keepTrying(change)
  })
}

async function keepTrying(change: Change) {
  while (await isInVain(change)) await delay(pause, undefined, { ref: false })
}

/**
 * Waits for the answer of a statement that takes something. If the answer is lost with a connection,
 * PostgreSQL may carry the statement out long after that, for example when it gets a lock: for a
 * while, `undo` runs again and again.
 */
export async function undoIfLost<Taken>(taking: Promise<Taken>, undo: Change): Promise<Taken> {
  return taking.catch((error: unknown) => {
    if (isUnavailable(error)) void keepUndoing(undo)
    throw error
  })
}

async function keepUndoing(undo: Change) {
  let end = Infinity
  while (performance.now() < end) {
    if (await isInVain(undo)) end = Infinity
    else end = Math.min(end, performance.now() + undoing.during)
    await delay(undoing.every, undefined, { ref: false })
  }
}

/** Whether the database is away. Other errors come again with each try. */
async function isInVain(change: Change) {
  return change().then(
    () => false,
    (error: unknown) => isUnavailable(error),
  )
}
