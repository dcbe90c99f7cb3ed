// @module-tag slow
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { aDatabase, aRole, grantRights, hold, untilSomebodyWaits } from '../../tests/database.ts'
import {
  aCore,
  afterNext,
  beforeLast,
  aModule,
  first,
  last,
  newest,
  next,
  numbers,
  since,
  total,
} from '../../tests/migrations.ts'
import { aLog } from '../../tests/world.ts'
import { StartError } from '../platform/start-error.ts'
import { migrateDatabase } from './migrate.ts'
import { listSeries } from './series.ts'

const silent = pino({ level: 'silent' })

afterEach(() => void vi.restoreAllMocks())

/** A database of this version, and a server that brings these migrations. */
async function anUpgrade(...more: string[]) {
  const database = await aDatabase()
  const series = [await aCore({ more })]
  return {
    ...database,
    upgrade: (log = silent) => migrateDatabase(database.connection, log, { series }),
  }
}

async function count(pool: pg.Pool, from: string) {
  return (await pool.query<{ count: number }>(`select count(*) from ${from}`)).rows[0]!.count
}

async function hasTable(pool: pg.Pool, name: string) {
  return (await count(pool, `pg_tables where tablename = '${name}'`)) === 1
}

const locks = `pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
const ofCore = `migrations where series = 'core'`
/** What servers before 0024 read. */
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
  expect(await count(pool, ofCore)).toBe(total + 1)
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
  expect(await count(pool, ofCore)).toBe(total + 1)
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
  const { connection, pool } = await aFormerDatabase()
  await pool.query(`update ${journal} set created_at = created_at - $1::bigint`, [
    last.when - first.when + 1,
  ])
  await expect(migrateDatabase(connection, silent)).rejects.toThrow(
    new StartError('This database is older than version 1.0.0. Start 1.0.0 on it first.'),
  )
  expect(await hasTable(pool, 'migrations')).toBe(false)
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
  expect(await count(pool, ofCore)).toBe(total)
})

/** A database as servers before 0024 leave it, with migrations up to the number `until`. */
async function aFormerDatabase(until = newest) {
  const database = await aDatabase({ isEmpty: true })
  await migrateDatabase(database.connection, silent, { series: [await aCore({ until })] })
  await database.pool.query('drop table migrations')
  return database
}

test.each(numbers)('a database of the version that has %s gets what is missing', async (until) => {
  const { connection, pool } = await aFormerDatabase(until)
  const { applied } = await migrateDatabase(connection, silent, { series: [await aCore({})] })
  expect(applied).toEqual(numbers.filter((number) => number > until))
  expect(await count(pool, ofCore)).toBe(total)
})

test('a server before 0024 finds the core’s migrations where it looks for them', async () => {
  const { connection, pool } = await aFormerDatabase(numbers[0])
  const kites = await aModule('kites', [createKites])
  await migrateDatabase(connection, silent, { series: [...listSeries(), kites] })
  const { rows } = await pool.query(`select max(created_at) newest from ${journal}`)
  expect(rows).toEqual([{ newest: last.when }])
  expect(await oldestCode(pool)).toBe('0018')
  expect(await count(pool, journal)).toBe(total)
})

const createKites = `${since('0001')}create table kites (id int)`
const nameKites = `${since('0001')}alter table kites add name text`

test.each([
  ['older', last.when - 1],
  ['newer', last.when + 1e9],
])('the core’s next migration is applied after a module’s %s one', async (_, when) => {
  const { connection, pool, upgrade } = await anUpgrade(
    `${since(newest)}create table added (id int)`,
  )
  const kites = await aModule('kites', [createKites], when)
  const series = [...listSeries(), kites]
  expect((await migrateDatabase(connection, silent, { series })).applied).toEqual(['kites 0001'])
  expect((await upgrade()).applied).toEqual([next])
  expect([await hasTable(pool, 'kites'), await hasTable(pool, 'added')]).toEqual([true, true])
})

test('a migration that made the former rule skip the core’s is a module’s once it is moved', async () => {
  const { connection, pool } = await aFormerDatabase(numbers.at(-3))
  await pool.query('create table kites (id int)')
  const when = last.when + 1e9
  await pool.query(`insert into ${journal} (hash, created_at) values ('kites', ${when})`)
  const kites = await aModule('kites', [createKites, nameKites], when)
  const series = [...listSeries(), kites]
  const { applied } = await migrateDatabase(connection, silent, { series })
  expect(applied).toEqual(expect.arrayContaining([...numbers.slice(-2), 'kites 0002']))
})

test('a server does not start if a migration is missing and a later one of its series is there', async () => {
  const { connection, pool } = await aDatabase()
  await pool.query('delete from migrations where name = $1', [beforeLast.tag])
  await expect(migrateDatabase(connection, silent)).rejects.toThrow(
    new StartError(
      `The database lacks the migration ${beforeLast.tag} and has ${last.tag}, which comes after it. Put your own migrations into the folder of a module: docs/upgrading.md says how.`,
    ),
  )
})

test('a server does not start if a migration is another than the database has', async () => {
  const { connection } = await aDatabase()
  const ours = listSeries()
  const kites = await aModule('kites', [createKites])
  await migrateDatabase(connection, silent, { series: [...ours, kites] })
  const changed = await aModule('kites', [`${createKites};`])
  const starting = migrateDatabase(connection, silent, { series: [...ours, changed] })
  await expect(starting).rejects.toThrow(
    new StartError(
      'The migration kites 0001_of-a-test is not the one that this database has: its text was changed since. Put the former text back, and what is to change into a new migration.',
    ),
  )
})

test('a server starts on tables of a newer module, unless they need newer code', async () => {
  const { connection } = await aDatabase()
  const ours = listSeries()
  const start = async (...texts: string[]) =>
    migrateDatabase(connection, silent, { series: [...ours, await aModule('kites', texts)] })
  await start(createKites, nameKites)
  expect((await start(createKites)).applied).toEqual([])
  await start(createKites, nameKites, since('0003'))
  await expect(start(createKites, nameKites)).rejects.toThrow(
    new StartError(
      'This version is too old for its database: it knows migrations up to kites 0002, and the database needs kites 0003. Start a newer version.',
    ),
  )
})

test('a server that starts names the modules whose tables nobody uses any more', async () => {
  const { connection } = await aDatabase()
  const ours = listSeries()
  const kites = await aModule('kites', [createKites])
  const { log, lines } = aLog('warn')
  await migrateDatabase(connection, log, { series: [...ours, kites] })
  expect(lines).toEqual([])
  await migrateDatabase(connection, log, { series: ours })
  expect(lines.join()).toContain(`"modules":["kites"],"msg":"the database has tables of modules`)
})

test('a role that owns no table cannot take over a database of former servers', async () => {
  const role = await aRole()
  const { connection, pool } = await aDatabase()
  await grantRights(connection, role)
  await pool.query('drop table migrations')
  const starting = migrateDatabase({ ...connection, user: role }, silent)
  await expect(starting).rejects.toThrow(/Run npm run migrate as the owner/)
  expect(await hasTable(pool, 'migrations')).toBe(false)
})
