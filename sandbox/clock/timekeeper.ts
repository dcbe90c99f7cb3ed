import { forgetOldKeys } from '../api/idempotency.ts'
import type { Courier } from '../events/courier.ts'
import { loggingFirstFailure } from '../store/first-failure.ts'
import { clockBack, clockTo, sandboxTime, type World } from '../store/tx.ts'
import { isDue, passTime } from './pass-time.ts'

export type Timekeeper = ReturnType<typeof openTimekeeper>

const lookEvery = 3_000
const tidyEvery = 3_600_000

/** Runs due work as time passes, and moves the clock forward on request, one move at a time. */
export function openTimekeeper(world: World, courier: Courier) {
  const logging = loggingFirstFailure(world.log, 'sandbox: could not look for due work')
  let last: Promise<unknown> = Promise.resolve()
  let isBusy = false
  let isClosed = false

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  async function passUntil(until: number) {
    await passTime(world, courier, { until, isStopped: () => isClosed })
  }

  /** Usually nothing is due, and then nobody has to be waited for. */
  async function look() {
    const now = await sandboxTime(world.pool)
    if (await isDue(world.pool, now)) await passUntil(now)
    else await courier.attemptAll()
  }

  async function moveTo(time: number) {
    await passUntil(time)
    if (!isClosed) await clockTo(world.pool, time)
    await courier.attemptAll()
    return time
  }

  function lookUnlessBusy() {
    if (isBusy) return
    isBusy = true
    void logging(() => inTurn(look)).finally(() => (isBusy = false))
  }

  const looking = setInterval(lookUnlessBusy, lookEvery).unref()
  const tidying = setInterval(
    () => void inTurn(() => forgetOldKeys(world.pool)).catch(() => undefined),
    tidyEvery,
  ).unref()

  return {
    now: () => sandboxTime(world.pool),
    /** Moves the clock forward, and resolves once all due work is done. */
    advance: (seconds: number) =>
      inTurn(async () => moveTo((await sandboxTime(world.pool)) + seconds)),
    /** Moves the clock back. What has happened stays. */
    rewind: (seconds: number) => inTurn(() => clockBack(world.pool, seconds)),
    async close() {
      isClosed = true
      clearInterval(looking)
      clearInterval(tidying)
      await last
    },
  }
}
