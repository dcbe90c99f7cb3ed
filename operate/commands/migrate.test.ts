// @module-tag slow
import type pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { aDatabase, aRole, grantRights, hold } from '../../tests/database.ts'
import { aCore, newest, since } from '../../tests/migrations.ts'
import { aServer, aStarted, signUp, whyNot } from '../../tests/start/a-server.ts'
import { openWorld } from '../../tests/world.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { readEnv } from '../../server/running/env.ts'
import { onOwnConnection } from '../../server/migrate/change-schema.ts'
import { migrateDatabase } from '../../server/migrate/migrate.ts'
import { migrate } from './migrate.ts'

const log = pino({ level: 'silent' })
const upToDate = `The database is up to date: schema ${newest}.`
const day = 24 * 3600
const denied = { code: '42501' }

function run(connection: pg.PoolConfig) {
  return migrate({ connection, env: readEnv({}), log })
}

/** A role that owns nothing, and the database of another role. */
async function aRestrictedRole(options = {}) {
  const role = await aRole()
  const database = await aDatabase(options)
  const url = new URL(database.url)
  url.username = role
  const restricted = { ...database.connection, user: role }
  return { ...database, role, restricted, restrictedUrl: url.href }
}

function query(connection: pg.PoolConfig, text: string) {
  return onOwnConnection(connection, log, (client) => client.query(text))
}

test('the migrate command makes all tables of a new database, and says what it applied', async () => {
  const { connection, pool } = await aDatabase({ isEmpty: true })
  expect(await run(connection)).toMatch(new RegExp(`^Applied 0017, 0018, .*${newest}\\b.*\\.$`))
  for (const table of ['users', 'sandbox.objects']) await pool.query(`select from ${table}`)
  expect(await run(connection)).toBe(upToDate)
})

test('the migrate command makes no tables of the sandbox while there are Stripe’s keys', async () => {
  const { connection, pool } = await aDatabase({ isEmpty: true })
  const env = readEnv({
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_of_the_migrations',
  })
  await migrate({ connection, env, log })
  const { rowCount } = await pool.query(`select from pg_namespace where nspname = 'sandbox'`)
  expect(rowCount).toBe(0)
})

test('a server whose role owns no table sells, mails and renews on a database that was migrated for it', async () => {
  const { connection, restricted, role } = await aRestrictedRole({ isEmpty: true })
  await run(connection)
  await grantRights(connection, role)
  const world = await openWorld(restricted)
  const { owner, invoices, project, subjects, subscriptionId } = await aBilledProject({ world })
  await owner.does('createInvite', { subscriptionId, email: 'bob@example.com', permissions: [] })
  await world.control({ charges: { fail: 1, code: 'insufficient_funds' } })
  await world.passAtProvider(8 * day)
  await world.control({ reset: true })
  expect(await project()).toMatchObject({ plan_id: 'pro', payment: 'past_due' })
  expect(await invoices()).toHaveLength(2)
  expect(await subjects()).toHaveLength(3)
  expect(await world.mails('bob@example.com')).toHaveLength(1)
})

test('a server process starts with a role that owns no table, and not if it lacks the rights', async () => {
  const { connection, role, restrictedUrl } = await aRestrictedRole()
  const env = { DATABASE_URL: restrictedUrl }
  expect(await whyNot(await aServer({ env }))).toContain('then the SQL of docs/rights.md')
  await grantRights(connection, role)
  const server = await aStarted({ env })
  expect(await signUp(server)).toBeDefined()
})

test('a role that owns no table does not start a server that brings a migration', async () => {
  const { connection, restricted, role } = await aRestrictedRole()
  await grantRights(connection, role)
  const more = [`${since(newest)}create table added (id int generated always as identity)`]
  const series = [await aCore({ more })]
  expect(await migrateDatabase(restricted, log)).toMatchObject({ applied: [] })
  const starting = migrateDatabase(restricted, log, { series })
  await expect(starting).rejects.toThrow(StartError)
  await expect(starting).rejects.toThrow(/Run npm run migrate as the owner/)

  await migrateDatabase(connection, log, { series })
  expect(await migrateDatabase(restricted, log, { series })).toMatchObject({ applied: [] })
  await query(restricted, 'insert into added default values; select from added')
})

test('a role with the rights of a server can make and change no tables', async () => {
  const { connection, restricted, role } = await aRestrictedRole()
  await grantRights(connection, role)
  for (const statement of [
    'create table public.added (id int)',
    'create table sandbox.added (id int)',
    'create schema added',
    'alter table users add column added int',
    'truncate users',
    'delete from migrations',
    'delete from drizzle.__drizzle_migrations',
    'alter table jobs add column added int',
  ])
    await expect(query(restricted, statement), statement).rejects.toMatchObject(denied)
})

test('the rights are granted by the owner alone, and again without a lock on the queue that servers use', async () => {
  const { connection, pool, restricted, role } = await aRestrictedRole()
  await expect(grantRights(restricted, role)).rejects.toMatchObject(denied)
  await grantRights(connection, role)
  const letGo = await hold(pool, 'select from jobs')
  await grantRights(connection, role)
  await letGo()
})
