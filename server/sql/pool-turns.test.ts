import { expect, test } from 'vitest'
import { hold, untilSomebodyWaits } from '../../tests/database.ts'
import { aProject, aWorldWith, countOutcomes, inParallel } from '../../tests/world.ts'
import { limits } from '#config/limits.ts'
import { shareOf } from './pool-turns.ts'

const crowd = 20
const share = shareOf(limits.calls.connections)

test('while many calls of one person wait for a lock, another person’s are answered', async () => {
  const { world, id, owner, bob } = await aProject({ people: { bob: [] } })
  await owner.project(id)
  const letGo = await hold(world.pool, `select from subscriptions where id = '${id}' for update`)
  const settings = { name: 'Bridge' }
  const changes = inParallel(crowd, () =>
    owner.call('updateSubscriptionSettings', { subscriptionId: id, settings }),
  )
  await untilSomebodyWaits(world.pool, 'subscriptions', share)
  expect((await bob.does('getUser', {})).user.id).toBe(bob.uid)
  await letGo()
  expect(countOutcomes(await changes)).toEqual({ done: crowd })
})

test('while many reads of one person wait, another person’s calls are answered', async () => {
  const [world, ann, bob] = await aWorldWith('ann', 'bob')
  const { subscriptionId } = await ann.starts()
  const letGo = await hold(world.pool, 'lock table invoices')
  const lists = inParallel(crowd, () => ann.call('listInvoices', { subscriptionId }))
  await untilSomebodyWaits(world.pool, 'invoices', share)
  await bob.does('getUser', {})
  expect((await world.pool.query(waitingNow)).rowCount).toBe(share)
  await letGo()
  expect(countOutcomes(await lists)).toEqual({ done: crowd })
})

const waitingNow = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`
