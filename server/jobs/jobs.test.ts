import { expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { aDatabase } from '../../tests/database.ts'
import { aWorld, openWorld, pay } from '../../tests/world.ts'
import { openDatabase } from '../store/database.ts'
import { compareWithProvider } from './compare-with-provider.ts'
import { openJobs } from './jobs.ts'
import { reconcile } from './reconcile.ts'

test('jobs that a server took and died with are done by the next', async () => {
  const { connection, pool } = await aDatabase()
  const db = openDatabase(pool)
  await openJobs(db).add('sendMail', { mail: 'verifyEmail', to: 'ann@example.com', language: 'en', values: { name: 'Ann', code: 'x' } })
  const taken = new Date(Date.now() - 60 * 60_000)
  await db.execute(sql`update graphile_worker._private_jobs set locked_by = 'dead', locked_at = ${taken}, attempts = 1`)
  const world = await openWorld(connection)
  expect(await world.mails('ann@example.com')).toHaveLength(1)
})

test('a job that is being worked on is left alone, however far the clock of a test is moved', async () => {
  const { connection, pool } = await aDatabase()
  const world = await openWorld(connection)
  await pool.query(`select graphile_worker.add_job('tidyUp', '{}', run_at => now() + interval '1 day')`)
  await pool.query(`update graphile_worker._private_jobs set locked_by = 'busy', locked_at = now()`)
  world.pass(60 * 60_000)
  await reconcile(world.services)
  const { rows } = await pool.query('select locked_by from graphile_worker.jobs')
  expect(rows).toEqual([{ locked_by: 'busy' }])
})

test('what happened while no event came is all there after the daily comparison', async () => {
  const world = await aWorld()
  const ann = await world.aPerson()
  const { subscriptionId } = (await pay(ann, 'pm_card_visa')).result!
  await world.control({ webhooks: { mode: 'drop' } })
  await world.passAtProvider(15 * 24 * 3600)
  await compareWithProvider(world.services)
  await world.untilWorkedOff()
  const { invoices } = (await ann.call('listInvoices', { subscriptionId })).result!
  expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid'])
})

test('of a purchase that was left at the bank nothing remains, with us or at the provider', async () => {
  const world = await aWorld()
  const ann = await world.aPerson()
  const { subscriptionId } = (await pay(ann, 'pm_card_authenticationRequired')).result!
  const { customerId } = (await world.services.store.billing.find(subscriptionId))!
  await world.passAtProvider(24 * 3600)
  expect(await world.services.store.billing.find(subscriptionId)).toBeUndefined()
  await expect(world.services.payments.findBillingDetails(customerId!)).rejects.toThrow('No such customer')
})
