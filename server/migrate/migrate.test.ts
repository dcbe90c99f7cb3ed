// @module-tag slow
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as migrateByDrizzle } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { aDatabase, hold, untilSomebodyWaits } from '../../tests/database.ts'
import { afterNext, aFolderOfMigrations, newest, next, since } from '../../tests/migrations.ts'
import { aLog } from '../../tests/world.ts'
import { StartError } from '../platform/start-error.ts'
import { changeSchema, onOwnConnection } from './change-schema.ts'
import { migrateDatabase } from './migrate.ts'
import { ourMigrations } from './migration-files.ts'

const silent = pino({ level: 'silent' })

afterEach(() => void vi.restoreAllMocks())

/** A database of this version, and a server that brings these migrations. */
async function anUpgrade(...more: string[]) {
  const database = await aDatabase()
  const folder = await aFolderOfMigrations({ more })
  return {
    ...database,
    upgrade: (options = {}, log = silent) =>
      migrateDatabase(database.connection, log, { folder, ...options }),
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

test('migrations make the same tables as Drizzle’s migrator, and the same journal', async () => {
  const [ours, drizzles] = [await aDatabase({ isEmpty: true }), await aDatabase({ isEmpty: true })]
  const { applied } = await migrateDatabase(ours.connection, silent)
  expect(applied.slice(0, 2)).toEqual(['0000', '0001'])
  expect(applied.at(-1)).toBe(newest)
  await migrateByDrizzle(drizzle(drizzles.pool), { migrationsFolder: ourMigrations })
  expect(await describeSchema(ours.pool)).toEqual(await describeSchema(drizzles.pool))
})

async function describeSchema(pool: pg.Pool) {
  const parts = {
    relations: `select relname, relkind, relpersistence, reloptions from pg_class
      where relnamespace in ('public'::regnamespace, 'drizzle'::regnamespace)`,
    columns: `select table_name, column_name, ordinal_position, column_default, is_nullable, data_type, identity_generation
      from information_schema.columns where table_schema in ('public', 'drizzle')`,
    indexes: `select indexdef from pg_indexes where schemaname in ('public', 'drizzle')`,
    constraints: `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace in ('public'::regnamespace, 'drizzle'::regnamespace)`,
    triggers: `select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`,
    functions: `select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`,
    sequences: `select schemaname, sequencename, data_type, start_value, increment_by from pg_sequences`,
    journal: `select id, hash, created_at from ${journal}`,
  }
  const rows = Object.entries(parts).map(async ([name, text]) => {
    const described = (await pool.query<object>(text)).rows.map((row) => JSON.stringify(row))
    return [name, described.toSorted()] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

test('Drizzle’s migrator, which former versions use, goes on after the migrations of this one', async () => {
  const { connection, pool } = await aDatabase({ isEmpty: true })
  const folder = await aFolderOfMigrations({ last: '0009' })
  expect(await migrateDatabase(connection, silent, { folder })).toMatchObject({ schema: '0009' })
  await migrateByDrizzle(drizzle(pool), { migrationsFolder: ourMigrations })
  expect(await migrateDatabase(connection, silent)).toEqual({ applied: [], schema: newest })
})

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
  const { log, lines } = aLog('warn')
  const impatient = { lockTimeout: 300, quietFor: 300 }
  const done = await Promise.all([upgrade(impatient, log), upgrade(impatient, log)])
  expect(done.map(({ applied }) => applied.join()).toSorted()).toEqual(['', next])
  expect(lines.join()).toContain('another server changes the tables')
  expect(await hasTable(pool, 'added')).toBe(true)
  expect(await count(pool, journal)).toBe(Number(next) + 1)
  expect(await count(pool, locks)).toBe(0)
})

test('a migration that waits for a long read lets other calls through, and is applied once the read ends', async () => {
  const { pool, upgrade } = await anUpgrade(
    `${since(newest)}alter table users add column extra int`,
  )
  const endReading = await hold(pool, 'select from users')
  const { log, lines } = aLog('warn')
  const upgrading = upgrade({ lockTimeout: 300, pause: 100 }, log)
  for (let calls = 0; calls < 3; calls++) {
    await untilSomebodyWaits(pool)
    // This would wait until the reader has ended if the migration did.
    await pool.query('select from users')
  }
  expect(lines.join()).toContain('a change of the tables waits for a free moment')
  await endReading()
  expect(await upgrading).toMatchObject({ applied: [next] })
  await pool.query('select extra from users')
})

test('a migration that pauses lets no other server begin with it', async () => {
  const { pool, upgrade } = await anUpgrade(
    `${since(newest)}alter table users add column extra int`,
  )
  const endReading = await hold(pool, 'select from users')
  const patience = { lockTimeout: 50, pause: 200 }
  const upgrading = Promise.all([upgrade(patience), upgrade(patience)])
  const paused = `pg_stat_activity where datname = current_database() and state = 'idle in transaction' and query like 'rollback to%'`
  while ((await count(pool, paused)) === 0) await pool.query('select')
  expect(await count(pool, `${locks} and not granted`)).toBe(1)
  await endReading()
  expect((await upgrading).flatMap(({ applied }) => applied)).toEqual([next])
})

test('a change of the tables leaves no lock and no setting on its connection, which a pooler gives to others', async () => {
  const { connection } = await aDatabase()
  const left = `select current_setting('lock_timeout') "lockTimeout",
    (select count(*) from pg_locks where pid = pg_backend_pid() and locktype = 'advisory') locks`
  const found = await onOwnConnection(connection, silent, async (client) => {
    await changeSchema(client, silent, () => client.query('create table added (id int)'))
    return (await client.query(left)).rows
  })
  expect(found).toEqual([{ lockTimeout: '0', locks: 0 }])
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
  expect(await count(pool, journal)).toBe(Number(next) + 1)
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
  expect(await count(pool, journal)).toBe(Number(newest) + 1)
})
