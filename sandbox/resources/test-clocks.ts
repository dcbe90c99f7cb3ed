import { z } from 'zod'
import { invalid } from '../rules/errors.ts'
import { page, pageParams } from '../api/pages.ts'
import { text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { removeCustomer } from '../billing/remove-customer.ts'
import { periodsAfter } from '../objects/calendar.ts'
import { isOver } from '../objects/subscription.ts'
import { advancingTo, newTestClock } from '../objects/test-clock.ts'
import type { Recurring, TestClock } from '../objects/wire.ts'
import { lockObject, objectsWhere, remove, requireObject, save } from '../store/objects.ts'
import type { Runner } from '../store/tx.ts'

const type = 'test_helpers.test_clock'
const url = '/v1/test_helpers/test_clocks'
const path = '/test_helpers/test_clocks'
const { created: _, ...listParams } = pageParams
const fields = { frozen_time: whole, name: text.pipe(z.string().max(300)).optional() }
const onClock = `body->>'test_clock' = $2`

/** Advancing a test clock moves the sandbox's clock, which all test clocks share. */
export const testClocks = [
  route('POST', path, fields, ({ tx, input: { frozen_time, name = null } }) => {
    const clock = newTestClock(name, tx.now)
    return save(tx, frozen_time > tx.now ? advancingTo(clock, frozen_time) : clock)
  }),
  route('GET', path, listParams, ({ tx, input }) => page(tx, type, url, input)),
  route('GET', `${path}/:id`, {}, ({ tx, id }) => requireObject(tx, type, id)),
  route('POST', `${path}/:id/advance`, { frozen_time: whole }, async ({ tx, id, input }) => {
    const { frozen_time } = input
    const clock = await lockObject(tx, type, id)
    if (clock.status !== 'ready')
      throw invalid('You cannot advance a test clock while it is advancing.')
    const furthest = await furthestFrom(tx, clock)
    if (frozen_time <= clock.frozen_time)
      throw refused('must be after the current frozen time of the test clock')
    if (frozen_time > furthest) throw refused('cannot be more than two intervals in the future')
    return save(tx, advancingTo(clock, frozen_time))
  }),
  route('DELETE', `${path}/:id`, {}, async ({ tx, id }) => {
    const clock = await lockObject(tx, type, id)
    const customers = await objectsWhere(tx, 'customer', onClock, [id])
    for (const each of customers.toReversed())
      await removeCustomer(tx, await lockObject(tx, 'customer', each.id))
    return remove(tx, clock)
  }),
]

/** Two of the shortest periods of its subscriptions, or two years if there are none. */
async function furthestFrom(runner: Runner, { id, frozen_time }: TestClock): Promise<number> {
  const subscriptions = await objectsWhere(runner, 'subscription', onClock, [id])
  const periods = subscriptions
    .filter((each) => !isOver(each))
    .map(({ items }) => items.data[0]!.price.recurring)
  const all: Recurring[] = periods.length ? periods : [{ interval: 'year', interval_count: 1 }]
  return Math.min(...all.map((each) => periodsAfter(frozen_time, each, 2)))
}

function refused(why: string) {
  return invalid(`Invalid frozen_time: it ${why}.`, { param: 'frozen_time' })
}
