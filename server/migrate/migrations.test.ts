import { generateDrizzleJson, generateMigration, type DrizzleSnapshotJSON } from 'drizzle-kit/api'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { runMigrations } from 'graphile-worker'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { aFolderOfMigrations } from '../../tests/migrations.ts'
import { migrateDatabase } from './migrate.ts'
import { ourMigrations } from './migration-files.ts'
import * as schema from '../store/schema.ts'

test('the migrations create the same tables as schema.ts', async () => {
  const meta = join(ourMigrations, 'meta')
  const last = (await readdir(meta))
    .filter((file) => file.endsWith('_snapshot.json'))
    .toSorted()
    .at(-1)!
  const snapshot = JSON.parse(await readFile(join(meta, last), 'utf8')) as DrizzleSnapshotJSON
  expect(await generateMigration(snapshot, generateDrizzleJson(schema))).toEqual([])
})

test('no trigger notifies by itself, which would let only one transaction commit at a time', async () => {
  const { pool } = await aDatabase()
  const { rows } = await pool.query(
    `select tgname from pg_trigger join pg_proc on pg_proc.oid = tgfoid
     where not tgisinternal and prosrc ilike '%notify(%' and tgrelid::regclass::text not like 'graphile_worker.%'`,
  )
  expect(rows).toEqual([])
})

test('a migration renames waiting jobs whose task has a new name in this version', async () => {
  const { pool, connection } = await aDatabase({ isEmpty: true })
  await migrate(drizzle(pool), { migrationsFolder: await aFolderOfMigrations({ last: '0009' }) })
  await runMigrations({ pgPool: pool })
  await pool.query(`
    insert into installation (name, value) values ('compared until', '1000');
    select graphile_worker.add_job('tidyUp');
    select graphile_worker.add_job('workOnEvent', '{"eventId":"evt_1"}', job_key => 'evt_1');
    select graphile_worker.add_job('settlePurchase', '{"subscriptionId":"a"}', job_key => 'settle a');
    select graphile_worker.add_job('finishHandOver', '{"subscriptionId":"a"}', job_key => 'hand over a');
    select graphile_worker.add_job('reconcile', queue_name => 'reconcile', job_key => 'reconcile');
    select graphile_worker.add_job('compareWithProvider', queue_name => 'compareWithProvider', job_key => 'compareWithProvider');
    select graphile_worker.add_job('comparePage', '{"step":"livePlans","atOnce":100,"foreign":{"count":0,"some":[]}}', queue_name => 'comparison', job_key => 'comparison');`)

  await migrateDatabase(connection, pino({ level: 'silent' }))

  const { rows } = await pool.query(
    `select task_identifier task, jobs.key, jobs.queue_name queue, payload
     from graphile_worker.jobs join graphile_worker._private_jobs using (id) order by id`,
  )
  const of = { subscriptionId: 'a' }
  expect(rows).toEqual([
    { task: 'removeExpired', key: null, queue: null, payload: {} },
    { task: 'processEvent', key: 'evt_1', queue: null, payload: { eventId: 'evt_1' } },
    { task: 'recoverPurchase', key: 'recover a', queue: null, payload: of },
    { task: 'finishTransfer', key: 'transfer a', queue: null, payload: of },
    { task: 'recoverPurchases', key: 'recoverPurchases', queue: 'recoverPurchases', payload: {} },
    { task: 'reconcile', key: 'reconcile', queue: 'reconcile', payload: {} },
    {
      task: 'reconcilePage',
      key: 'reconcile page',
      queue: 'reconcile page',
      payload: {
        step: 'liveProviderSubscriptions',
        pageSize: 100,
        unknown: { count: 0, some: [] },
      },
    },
  ])
  const { rows: kept } = await pool.query(
    `select value from installation where name = 'reconciled until'`,
  )
  expect(kept).toEqual([{ value: '1000' }])
})
