import { generateDrizzleJson, generateMigration, type DrizzleSnapshotJSON } from 'drizzle-kit/api'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { runMigrations } from 'graphile-worker'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { migrateDatabase } from './database.ts'
import * as schema from './schema.ts'

const migrations = join(import.meta.dirname, 'migrations')

/** A folder with the migrations up to this index. */
async function migrationsUpTo(last: number) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(migrations, folder, { recursive: true })
  const path = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { idx: number }[] }
  journal.entries = journal.entries.filter(({ idx }) => idx <= last)
  await writeFile(path, JSON.stringify(journal))
  return folder
}

test('the migrations create the same tables as schema.ts', async () => {
  const meta = join(migrations, 'meta')
  const last = (await readdir(meta))
    .filter((file) => file.endsWith('_snapshot.json'))
    .toSorted()
    .at(-1)!
  const snapshot = JSON.parse(await readFile(join(meta, last), 'utf8')) as DrizzleSnapshotJSON
  expect(await generateMigration(snapshot, generateDrizzleJson(schema))).toEqual([])
})

test('a migration renames waiting jobs whose task has a new name in this version', async () => {
  const { pool } = await aDatabase()
  await pool.query(`drop schema public, drizzle, graphile_worker cascade; create schema public`)
  await migrate(drizzle(pool), { migrationsFolder: await migrationsUpTo(9) })
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

  await migrateDatabase(pool)

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
