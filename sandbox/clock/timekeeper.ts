import { forgetOldKeys } from '../api/idempotency.ts'
import type { Courier } from '../events/courier.ts'
import { sandboxTime, type World } from '../store/tx.ts'
import { clockTo } from './clock.ts'
import { runDue, type Log } from './run-due.ts'

export type Timekeeper = {
  now: () => Promise<number>
  /** Moves the clock and resolves to its new time, once all that fell due is done and its webhooks have been attempted. */
  advance(seconds: number): Promise<number>
  close(): Promise<void>
}

const lookEvery = 3_000
const tidyEvery = 3_600_000

/** Time passes by itself, and can be moved on; due work is done one step after another. */
export function openTimekeeper(world: World, courier: Courier, log: Log): Timekeeper {
  let last: Promise<unknown> = Promise.resolve()
  let busy = false

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  async function look() {
    await runDue(world, await sandboxTime(world.pool), log)
    courier.wake()
  }

  function lookUnlessBusy() {
    if (busy) return
    busy = true
    inTurn(look)
      .catch((error: unknown) => log.error({ err: error }, 'sandbox: could not look for due work'))
      .finally(() => (busy = false))
  }

  const looking = setInterval(lookUnlessBusy, lookEvery).unref()
  const tidying = setInterval(() => void inTurn(() => forgetOldKeys(world.pool)).catch(() => undefined), tidyEvery).unref()

  return {
    now: () => sandboxTime(world.pool),
    advance: (seconds) =>
      inTurn(async () => {
        const until = (await sandboxTime(world.pool)) + seconds
        await runDue(world, until, log)
        await clockTo(world.pool, until)
        await courier.attemptAll()
        return until
      }),
    async close() {
      clearInterval(looking)
      clearInterval(tidying)
      await last
    },
  }
}
