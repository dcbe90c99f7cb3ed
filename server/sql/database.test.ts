import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pino } from 'pino'
import { aDatabase } from '../../tests/database.ts'
import { aDatabaseProxy } from '../../tests/database-proxy.ts'
import { inTransaction, openDatabase, openPool, query, readOnly } from './database.ts'
import * as queue from '../store/queue.ts'
import { openStore } from '../store/store.ts'

const at = new Date()
const entry = { at, kind: 'settingsChanged', subscriptionId: 'p', details: '{}' } as const
const broken = { ...entry, actorId: 'nobody' }
const brokenName = 'activity_actor_id_users_id_fk'
const job = (name: string) => ({ task: name, key: null, payload: '{}' })

/** A database with the project `p`. */
async function aProject() {
  const { connection } = await aDatabase()
  const pool = openPool({ ...connection, max: 1 }, pino({ level: 'silent' }))
  onTestFinished(() => pool.end())
  await pool.query(
    `insert into users (id, email, display_name, created_at, updated_at) values ('u', 'u@example.com', 'U', now(), now());
     insert into subscriptions (id, owner_id, plan_id, status, created_at) values ('p', 'u', 'free', 'active', now());
     truncate outbox, jobs`,
  )
  return pool
}

const renamed = { id: 'p', settings: { name: 'Bridge' }, by: 'ann', now: new Date() }

test('what a transaction asks at once leaves together and is answered in its order', async () => {
  const pool = await aProject()
  const sent: string[] = []
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const settings = await inTransaction(pool, async (db) => {
    const { subscriptions, activity } = openStore(db)
    const asked = Promise.all([
      subscriptions.setSettings(renamed),
      subscriptions.find('p'),
      activity.add(entry),
      queue.add(db, job('one')),
    ])
    sent.push(
      ...query.mock.calls.map(([config]) => {
        const { name, text } = config as unknown as pg.QueryConfig
        return name ?? text
      }),
    )
    return (await asked)[1]!.settings
  })
  expect(settings).toEqual({ name: 'Bridge' })
  const names = ['subscription_set_settings', 'subscription', 'activity_add', 'queue_add']
  expect(sent).toEqual(['begin', ...names])
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

test('of a refused transaction nothing is kept, also if a part of it goes on', async () => {
  const pool = await aProject()
  let ended: Promise<unknown> | undefined
  const failing = inTransaction(pool, async (db) => {
    const { subscriptions, activity } = openStore(db)
    async function goOn() {
      await subscriptions.setSettings(renamed)
      for (let turn = 0; turn < 5; turn++) await activity.add(entry)
    }
    ended = goOn().catch((error: Error) => error.message)
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
  expect(await ended).toBe('the transaction is over')
  const { rows } = await pool.query(
    'select settings, (select count(*) from activity) entries from subscriptions',
  )
  expect(rows).toEqual([{ settings: {}, entries: 0 }])
})

test('a transaction fails with the error of the first statement that fails, and the others can be asked again', async () => {
  const pool = await aProject()
  const failing = inTransaction(pool, async (db) => {
    const store = openStore(db)
    const addLater = async () => store.activity.add(broken).then((added) => added)
    await Promise.all([addLater(), store.subscriptions.find('p')])
  })
  const asker = expect.stringContaining('database.test.ts')
  await expect(failing).rejects.toMatchObject({ constraint: brokenName, stack: asker })
  expect(await inTransaction(pool, (db) => openStore(db).subscriptions.find('p'))).toBeDefined()
})

test('a session that can only read is replaced once a change was tried on it, in a transaction or not', async () => {
  const pool = await aProject()
  const readsOnly = { text: 'set default_transaction_read_only = on' }
  const change = { text: `insert into outbox (kind) values ('notice')` }
  const ways = [
    () => query(openDatabase(pool), change),
    () => inTransaction(pool, (db) => query(db, change)),
  ]
  for (const run of ways) {
    await query(openDatabase(pool), readsOnly)
    await expect(run()).rejects.toMatchObject({ code: readOnly })
    expect((await run()).rowCount).toBe(1)
  }
})

test('a value that has no text fails the transaction before anything is changed', async () => {
  const pool = await aProject()
  const circular: Record<string, unknown> = {}
  circular['itself'] = circular
  const failing = inTransaction(pool, async (db) => {
    await openStore(db).subscriptions.setSettings(renamed)
    await queue.add(db, { ...job('one'), payload: circular as never })
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

test(
  'a question without a time limit of its own ends when its connection vanishes without a word',
  { tags: ['slow'] },
  async () => {
    const { connection } = await aDatabase()
    const proxy = await aDatabaseProxy(connection)
    const pool = openPool({ ...proxy.connection, max: 1 }, pino({ level: 'silent' }))
    onTestFinished(() => pool.end())
    await pool.query('select 1')
    proxy.vanish()
    await expect(pool.query('select 1')).rejects.toThrow('Connection terminated')
    proxy.cut()
    proxy.restore()
  },
)
