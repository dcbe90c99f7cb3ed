import { eq, sql } from 'drizzle-orm'
import type pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pino } from 'pino'
import { aDatabase } from '../../tests/database.ts'
import { inTransaction, onOneConnection, openPool, query, readOnly } from './database.ts'
import * as outbox from '../store/outbox.ts'
import { activity } from '../store/schema.ts'
import { openStore } from '../store/store.ts'

const at = new Date()
const entry = { at, kind: 'settingsChanged', subscriptionId: 'p', details: '{}' } as const
const broken = { ...entry, actorId: 'nobody' }
const brokenName = 'activity_actor_id_users_id_fk'
const job = (name: string) => ({ task: name, jobKey: 'k', payload: '{}' })

/** A database with the project `p`. */
async function aProject() {
  const { connection } = await aDatabase()
  const pool = openPool({ ...connection, max: 1 }, pino({ level: 'silent' }))
  onTestFinished(() => pool.end())
  await pool.query(
    `insert into users (id, email, display_name, created_at, updated_at) values ('u', 'u@example.com', 'U', now(), now());
     insert into subscriptions (id, owner_id, plan_id, status, created_at) values ('p', 'u', 'free', 'active', now());
     truncate outbox`,
  )
  return pool
}

const [begin, commit] = [{ text: 'begin' }, { text: 'commit' }]

const renamed = { id: 'p', settings: { name: 'Bridge' }, by: 'ann', now: new Date() }

test('a change and its log entries leave as one query, and a transaction that asks nothing as one packet', async () => {
  const pool = await aProject()
  const client = await pool.connect()
  const query = vi.spyOn(client, 'query')
  client.release()
  await inTransaction(pool, async (db) => {
    const { subscriptions, activity } = openStore(db)
    await subscriptions.setSettings(renamed)
    await activity.add(entry)
    await outbox.addJob(db, job('one'))
  })
  expect(query.mock.calls).toMatchObject([[{ queries: [begin, {}, commit] }]])
  const { rows } = await pool.query(
    `select settings ->> 'name' name, (select count(*) from activity) entries, (select count(*) from outbox) waiting from subscriptions`,
  )
  expect(rows).toEqual([{ name: 'Bridge', entries: 1, waiting: 2 }])
})

test('the next question of a transaction sees a change that waited for its log entries, also if Drizzle asks', async () => {
  const pool = await aProject()
  await inTransaction(pool, async (db) => {
    const store = openStore(db)
    await store.subscriptions.setSettings(renamed)
    expect((await store.subscriptions.find('p'))!.settings).toEqual({ name: 'Bridge' })
    await store.activity.add(entry)
    expect(await db.select().from(activity).where(eq(activity.subscriptionId, 'p'))).toHaveLength(1)
  })
})

test('entries of one log keep their order', async () => {
  const pool = await aProject()
  await inTransaction(pool, async (db) => {
    await openStore(db).subscriptions.setSettings(renamed)
    await outbox.addJobRemoval(db, { jobKey: 'k' })
    for (const name of ['one', 'two']) await outbox.addJob(db, job(name))
  })
  const { rows } = await pool.query(
    `select kind, task from outbox where kind <> 'notice' order by id`,
  )
  expect(rows).toEqual([
    { kind: 'jobRemoval', task: null },
    { kind: 'job', task: 'one' },
    { kind: 'job', task: 'two' },
  ])
})

test('a transaction whose last change breaks a constraint fails with its name, and changes nothing', async () => {
  const pool = await aProject()
  const failing = inTransaction(pool, async (db) => {
    const store = openStore(db)
    await store.subscriptions.setSettings(renamed)
    await store.activity.add(broken)
  })
  await expect(failing).rejects.toMatchObject({ constraint: brokenName })
  expect((await pool.query('select settings from subscriptions')).rows).toEqual([{ settings: {} }])
})

test('a transaction that fails sends nothing of what it held', async () => {
  const pool = await aProject()
  const failing = inTransaction(pool, async (db) => {
    await openStore(db).subscriptions.setSettings(renamed)
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
  expect((await pool.query('select settings from subscriptions')).rows).toEqual([{ settings: {} }])
})

test('statements that follow a failed one fail with its error, and can be asked again', async () => {
  const pool = await aProject()
  const failing = inTransaction(pool, async (db) => {
    const store = openStore(db)
    await store.activity.add(broken)
    await store.subscriptions.find('p')
  })
  const asker = expect.stringContaining('database.test.ts')
  await expect(failing).rejects.toMatchObject({ constraint: brokenName, stack: asker })
  expect(await inTransaction(pool, (db) => openStore(db).subscriptions.find('p'))).toBeDefined()
})

test('a change without a transaction that PostgreSQL undoes at its end fails, and so do those that left with it', async () => {
  const pool = await aProject()
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
     create constraint trigger late after insert on outbox deferrable initially deferred for each row execute function refuse()`,
  )
  const addKind = (kind: string) => ({ text: `insert into outbox (kind) values ('${kind}')` })
  const answers = await onOneConnection(pool, (db) =>
    Promise.allSettled([query(db, addKind('notice')), query(db, addKind('job'))]),
  )
  const undone = { status: 'rejected', reason: { message: 'the disk is full' } }
  expect(answers).toMatchObject([undone, undone])
})

test('a session that can only read is replaced once a change was tried on it, in a transaction or not', async () => {
  const pool = await aProject()
  const readsOnly = { text: 'set default_transaction_read_only = on' }
  const change = { text: `insert into outbox (kind) values ('notice')` }
  for (const run of [onOneConnection, inTransaction]) {
    await onOneConnection(pool, (db) => query(db, readsOnly))
    await expect(run(pool, (db) => query(db, change))).rejects.toMatchObject({ code: readOnly })
    expect((await run(pool, (db) => query(db, change))).rowCount).toBe(1)
  }
})

test('a transaction that is refused ends, also if a statement that leaves at the same moment fails', async () => {
  const pool = await aProject()
  const failing = inTransaction(pool, async (db) => {
    const store = openStore(db)
    for (const each of [broken, entry]) await store.activity.add(each)
    throw new Error('refused')
  })
  await expect(failing).rejects.toMatchObject({ constraint: brokenName })
  expect(await inTransaction(pool, (db) => openStore(db).subscriptions.find('p'))).toBeDefined()
})

test('a value that has no text fails the transaction before anything is changed', async () => {
  const pool = await aProject()
  const circular: Record<string, unknown> = {}
  circular['itself'] = circular
  const failing = inTransaction(pool, async (db) => {
    await openStore(db).subscriptions.setSettings(renamed)
    await outbox.addJob(db, { ...job('one'), payload: circular as never })
  })
  await expect(failing).rejects.toThrow('circular')
  expect((await pool.query('select settings from subscriptions')).rows).toEqual([{ settings: {} }])
})

test('a transaction that asks after its connection was lost fails', async () => {
  const pool = await aProject()
  const failing = inTransaction(pool, async (db) => {
    const ended = new Promise<void>(
      (resolve) => void (db.$client as pg.PoolClient).once('end', resolve),
    )
    await db.execute(sql`select pg_terminate_backend(pg_backend_pid())`).catch(() => undefined)
    await ended
    await openStore(db).subscriptions.find('p')
  })
  await expect(failing).rejects.toThrow('not queryable')
})
