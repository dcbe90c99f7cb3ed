import { expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { aDatabase } from '../../tests/database.ts'
import { openWorld } from '../../tests/world.ts'
import { openDatabase } from '../store/database.ts'
import { openJobs } from './jobs.ts'

test('jobs that a server took and died with are done by the next', async () => {
  const { connection, pool } = await aDatabase()
  const db = openDatabase(pool)
  await openJobs(db).add('sendMail', { mail: 'verifyEmail', to: 'ann@example.com', language: 'en', values: { name: 'Ann', code: 'x' } })
  const taken = new Date(Date.now() - 60 * 60_000)
  await db.execute(sql`update graphile_worker._private_jobs set locked_by = 'dead', locked_at = ${taken}, attempts = 1`)
  const world = await openWorld(connection)
  expect(await world.mails('ann@example.com')).toHaveLength(1)
})
