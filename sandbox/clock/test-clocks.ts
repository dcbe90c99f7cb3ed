import { arrived } from '../objects/test-clock.ts'
import type { TestClock } from '../objects/wire.ts'
import { loggingFirstFailure } from '../store/first-failure.ts'
import { findObject, lockObject, objectsWhere, save } from '../store/objects.ts'
import { inTransaction, noRequest, type World } from '../store/tx.ts'
import type { Timekeeper } from './timekeeper.ts'

const lookEvery = 500

/** Moves the sandbox's clock to the target of each advancing test clock, then marks it as ready. */
export function openTestClocks(world: World, timekeeper: Timekeeper) {
  const logging = loggingFirstFailure(world.log, 'sandbox: could not advance a test clock')
  let round: Promise<void> | undefined

  async function advanceAll() {
    const isAdvancing = `body->>'status' = 'advancing'`
    const clocks = await objectsWhere(world.pool, 'test_helpers.test_clock', isAdvancing)
    for (const clock of clocks.toReversed()) await advance(clock)
  }

  async function advance({ id, status_details: { advancing } }: TestClock) {
    const left = (advancing?.target_frozen_time ?? 0) - (await timekeeper.now())
    if (left > 0) await timekeeper.advance(left)
    await inTransaction(world, noRequest, async (tx) => {
      // A request may have deleted the test clock while the sandbox's clock moved.
      if ((await findObject(tx, id))?.object === 'test_helpers.test_clock')
        await save(tx, arrived(await lockObject(tx, 'test_helpers.test_clock', id)))
    })
  }

  const looking = setInterval(() => {
    round ??= logging(advanceAll).finally(() => (round = undefined))
  }, lookEvery).unref()

  return {
    async close() {
      clearInterval(looking)
      await round
    },
  }
}
