import { z } from 'zod'
import { invalid } from '../rules/errors.ts'
import { page, pageParams } from '../api/pages.ts'
import { text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { removeCustomer } from '../billing/remove-customer.ts'
import { day, week } from '../objects/due-at.ts'
import { advancingTo, newTestClock } from '../objects/test-clock.ts'
import type { Customer, TestClock } from '../objects/wire.ts'
import { requireObject, remove, save, lockObject } from '../store/objects.ts'
import type { Runner } from '../store/tx.ts'

const type = 'test_helpers.test_clock'
const url = '/v1/test_helpers/test_clocks'
const path = '/test_helpers/test_clocks'
const { created: _, ...listParams } = pageParams
const year = 365 * day

/**
 * All test clocks share the sandbox's clock: advancing one moves it, and none begins in its past.
 */
export const testClocks = [
  route(
    'POST',
    path,
    { frozen_time: whole, name: text.pipe(z.string().max(300)).optional() },
    ({ tx, input: { frozen_time, name = null } }) => {
      const clock = newTestClock(name, tx.now)
      return save(tx, frozen_time > tx.now ? advancingTo(clock, frozen_time) : clock)
    },
  ),
  route('GET', path, listParams, ({ tx, input }) => page(tx, type, url, input)),
  route('GET', `${path}/:id`, {}, ({ tx, id }) => requireObject(tx, type, id)),
  route(
    'POST',
    `${path}/:id/advance`,
    { frozen_time: whole },
    async ({ tx, id, input: { frozen_time } }) => {
      const clock = await lockObject(tx, type, id)
      if (clock.status !== 'ready')
        throw invalid('You cannot advance a test clock while it is advancing.')
      const furthest =
        clock.frozen_time + ((await isOfSubscriptions(tx, clock)) ? 2 * week : 2 * year)
      if (frozen_time <= clock.frozen_time)
        throw refused('must be after the current frozen time of the test clock')
      if (frozen_time > furthest) throw refused('cannot be more than two intervals in the future')
      return save(tx, advancingTo(clock, frozen_time))
    },
  ),
  route('DELETE', `${path}/:id`, {}, async ({ tx, id }) => {
    const clock = await lockObject(tx, type, id)
    const { rows } = await tx.query<{ body: Customer }>(
      `select body from sandbox.objects where type = 'customer' and body->>'test_clock' = $1 order by seq`,
      [id],
    )
    for (const { body } of rows) await removeCustomer(tx, await lockObject(tx, 'customer', body.id))
    return remove(tx, clock)
  }),
]

async function isOfSubscriptions(runner: Runner, { id }: TestClock): Promise<boolean> {
  const { rowCount } = await runner.query<object>(
    `select from sandbox.objects where type = 'subscription' and body->>'test_clock' = $1
       and body->>'status' not in ('canceled', 'incomplete_expired') limit 1`,
    [id],
  )
  return rowCount === 1
}

function refused(why: string) {
  return invalid(`Invalid frozen_time: it ${why}.`, { param: 'frozen_time' })
}
