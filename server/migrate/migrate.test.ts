// @module-tag slow
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { aDatabase, hold, untilSomebodyWaits } from '../../tests/database.ts'
import {
  afterNext,
  aFolderOfMigrations,
  first,
  last,
  newest,
  next,
  since,
  total,
} from '../../tests/migrations.ts'
import { aLog } from '../../tests/world.ts'
import { StartError } from '../platform/start-error.ts'
import { migrateDatabase } from './migrate.ts'

const silent = pino({ level: 'silent' })

afterEach(() => void vi.restoreAllMocks())

/** A database of this version, and a server that brings these migrations. */
async function anUpgrade(...more: string[]) {
  const database = await aDatabase()
  const folder = await aFolderOfMigrations({ more })
  return {
    ...database,
    upgrade: (log = silent) => migrateDatabase(database.connection, log, { folder }),
  }
}

async function count(pool: pg.Pool, from: string) {
  return (await pool.query<{ count: number }>(`select count(*) from ${from}`)).rows[0]!.count
}

async function hasTable(pool: pg.Pool, name: string) {
  return (await count(pool, `pg_tables where tablename = '${name}'`)) === 1
}

const locks = `pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
const journal = 'drizzle.__drizzle_migrations'

test('a start without a pending migration asks the database one question', async () => {
  const { connection } = await aDatabase()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await migrateDatabase(connection, silent)
  expect(query).toHaveBeenCalledTimes(1)
})

test('of two servers that start at once, one waits for the other one’s migration, however long it takes', async () => {
  const { connection, pool, upgrade } = await anUpgrade(
    `${since(newest)}select pg_sleep(1.5); create table added (id int)`,
  )
  for (const limit of ['statement_timeout', 'lock_timeout'])
    await pool.query(`alter database ${connection.database} set ${limit} = '300ms'`)
  const { log, lines } = aLog('info')
  const done = await Promise.all([upgrade(log), upgrade(log)])
  expect(done.map(({ applied }) => applied.join()).toSorted()).toEqual(['', next])
  expect(lines.join()).toContain('another server changes the tables')
  expect(await hasTable(pool, 'added')).toBe(true)
  expect(await count(pool, journal)).toBe(total + 1)
  expect(await count(pool, locks)).toBe(0)
})

test('a migration that waits for a long read lets other calls through and no other server begin with it, and is applied once the read ends', async () => {
  const { pool, upgrade } = await anUpgrade(
    `${since(newest)}alter table users add column extra int`,
  )
  const endReading = await hold(pool, 'select from users')
  const { log, lines } = aLog('warn')
  const upgrading = Promise.all([upgrade(log), upgrade(log)])
  await untilSomebodyWaits(pool, 'alter table')
  // This would wait until the reader has ended if the migration did.
  await pool.query('select from users')
  const paused = `pg_stat_activity where datname = current_database() and query = 'rollback'`
  while ((await count(pool, paused)) === 0) await pool.query('select')
  expect(await count(pool, `${locks} and not granted`)).toBe(1)
  await endReading()
  expect((await upgrading).flatMap(({ applied }) => applied)).toEqual([next])
  expect(lines.join()).toContain('a change of the tables waits for a free moment')
  await pool.query('select extra from users')
})

test('a migration that fails is named and leaves nothing behind, and those before it are kept', async () => {
  const { pool, upgrade } = await anUpgrade(
    `${since(newest)}create table first (id int)`,
    `${since(newest)}create table second (id int); select 1 / 0`,
  )
  const failing = upgrade()
  await expect(failing).rejects.toThrow(StartError)
  await expect(failing).rejects.toThrow(
    `The migration ${afterNext}_of-a-test failed, and nothing of it is kept: division by zero.`,
  )
  expect([await hasTable(pool, 'first'), await hasTable(pool, 'second')]).toEqual([true, false])
  expect(await count(pool, journal)).toBe(total + 1)
  expect(await count(pool, locks)).toBe(0)
})

test('a server starts on a newer schema that its code works with', async () => {
  const { connection, pool, upgrade } = await anUpgrade(since(newest))
  await upgrade()
  expect(await migrateDatabase(connection, silent)).toEqual({ applied: [], schema: newest })
  expect(await oldestCode(pool)).toBe(newest)
})

test('a server does not start on a newer schema that needs newer code', async () => {
  const { connection, pool, upgrade } = await anUpgrade(since(next), since(newest))
  await upgrade()
  expect(await oldestCode(pool)).toBe(next)
  await expect(migrateDatabase(connection, silent)).rejects.toThrow(
    new StartError(
      `This version is too old for its database: it knows migrations up to ${newest}, and the database needs ${next}. Start a newer version.`,
    ),
  )
  expect(await upgrade()).toEqual({ applied: [], schema: afterNext })
})

test('a server does not start on a database that is older than the first version, and changes nothing in it', async () => {
  const { connection, pool } = await aDatabase()
  await pool.query(`update ${journal} set created_at = created_at - $1::bigint`, [
    last.when - first.when + 1,
  ])
  await expect(migrateDatabase(connection, silent)).rejects.toThrow(
    new StartError('This database is older than version 1.0.0. Start 1.0.0 on it first.'),
  )
  expect(await count(pool, journal)).toBe(total)
})

async function oldestCode(pool: pg.Pool) {
  const text = `select value from installation where name = 'oldest code'`
  return (await pool.query<{ value: string }>(text)).rows[0]?.value
}

test.each([
  ['does not say which code works after it', 'select 1'],
  ['says so in its second line', `select 1;\n${since(newest)}`],
  ['needs code that is newer than itself', since(afterNext)],
])('a migration that %s is refused before any is applied', async (_, text) => {
  const { pool, upgrade } = await anUpgrade(text)
  await expect(upgrade()).rejects.toThrow(`${next}_of-a-test must begin with the line`)
  expect(await count(pool, journal)).toBe(total)
})
