import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { deliver, event } from '../../tests/webhook.ts'
import { aWorld, type World } from '../../tests/world.ts'
import { inbox } from './inbox.ts'
import { StartError } from '../platform/start-error.ts'
import { openDatabase } from '../store/database.ts'

const eventId = 'evt_that_fails'

test('the inbox command says when no webhook has failed', async () => {
  const { run } = await anInbox()
  expect(await run()).toBe('Nothing has failed in the inbox.')
  expect(await run('replay', 'all')).toBe('Nothing has failed in the inbox.')
})

test('the inbox command lists a failed webhook event with its error and the time of its next attempt', async () => {
  const { run, fail } = await anInbox()
  const plan = await fail()
  const [head, line, ...more] = (await run()).split('\n')
  expect(head).toMatch(/^EVENT +TYPE +OBJECT +RECEIVED/)
  expect(line).toMatch(new RegExp(`^${eventId}  customer\\.subscription\\.updated +${plan} `))
  expect(line).toMatch(/ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, 1 of 17 done +Error: The payment provider/)
  expect(more).toEqual([])
})

test.each([eventId, 'all'])(
  'the inbox command “replay %s” processes a failed webhook event again, even after its last attempt',
  async (which) => {
    const { world, run, fail, useUpTries } = await anInbox()
    await fail()
    for (const exhaust of [() => undefined, useUpTries]) {
      await exhaust()
      expect(await run('replay', which)).toContain(eventId)
      expect(await untilTried(world)).toMatchObject({
        processedAt: null,
        error: expect.any(String),
      })
    }
    await useUpTries()
    expect(await run()).toMatch(/ no more +Error: The payment provider/)
    await world.control({ reset: true })
    await run('replay', which)
    expect(await untilTried(world)).toMatchObject({ processedAt: expect.any(Date), error: null })
    expect(await run()).toBe('Nothing has failed in the inbox.')
  },
)

test('the inbox command does not replay a webhook event that is unknown or has not failed', async () => {
  const { run, succeed } = await anInbox()
  await succeed()
  for (const id of ['evt_unknown', eventId])
    await expect(run('replay', id)).rejects.toThrow(
      new StartError(`There is no failed event ${id} in the inbox.`),
    )
})

test.each(['clear', 'replay', 'replay evt_1 evt_2'])(
  'the inbox command refuses “%s” and prints its usage',
  async (words) => {
    const { run } = await anInbox()
    await expect(run(...words.split(' '))).rejects.toThrow(/^Usage: /)
  },
)

test('the metrics count failed webhook events', async () => {
  const { world, fail } = await anInbox({ METRICS_TOKEN: 'of-the-operator' })
  const scrape = async () =>
    (
      await world.request('/metrics', { headers: { authorization: 'Bearer of-the-operator' } })
    ).text()
  expect(await scrape()).toContain('\natrium_inbox_failed 0\n')
  await fail()
  expect(await scrape()).toContain('\natrium_inbox_failed 1\n')
})

/** A server, and the inbox command on the same database. */
async function anInbox(environment: Record<string, string> = {}) {
  const world = await aWorld(environment)
  const db = openDatabase(world.pool)

  /** Buys a project, and returns a function that sends a webhook event about it. */
  async function prepare() {
    const { row } = await aBilledProject({ world })
    // Resolves once the webhooks of the purchase are delivered.
    await world.control({ webhooks: { mode: 'deliver' } })
    await world.untilWorkedOff()
    const plan = (await row()).providerSubscriptionId!
    const object = { id: plan, object: 'subscription' }
    const send = async () => {
      await deliver(world, event(eventId, 'customer.subscription.updated', object))
      await untilTried(world)
    }
    return { plan, send }
  }

  /** Sends the event while the payment provider fails, so that processing it fails. */
  const fail = async () => {
    const { plan, send } = await prepare()
    await world.control({ api: { fault: 500 } })
    await send()
    return plan
  }

  return {
    world,
    run: (...args: string[]) => inbox(db, args),
    succeed: async () => (await prepare()).send(),
    fail,
    useUpTries: () =>
      db.execute(
        sql`update graphile_worker._private_jobs set attempts = max_attempts where key = ${eventId}`,
      ),
  }
}

async function untilTried(world: World) {
  await world.untilWorkedOff()
  return world.services.store.providerEvents.find(eventId)
}
