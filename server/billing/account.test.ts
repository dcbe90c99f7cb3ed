// @module-tag slow
import type pg from 'pg'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { aServer } from '../../tests/start/a-server.ts'
import { aLog, aProject, openWorld, reasonOf, secretKey } from '../../tests/world.ts'

async function storedAccount(pool: pg.Pool) {
  const { rows } = await pool.query<{ value: { id: string; mode: string } }>(
    `select value::json from installation where name = 'payment account'`,
  )
  return rows[0]!.value
}

/** A database with one paid project. The server that used the database has stopped. */
async function aPaidDatabase() {
  const { connection, pool, url } = await aDatabase()
  const world = await openWorld(connection)
  await (await world.aPerson()).pays()
  await world.untilWorkedOff()
  await world.stop()
  return { connection, pool, url, account: await storedAccount(pool) }
}

/**
 * Gives the sandbox another account id, as if the server got keys of another Stripe account.
 * `unknown` also deletes the sandbox's customers.
 */
async function changeAccount(pool: pg.Pool, { customers }: { customers: 'known' | 'unknown' }) {
  await pool.query(`update sandbox.account set id = 'acct_sandboxOther'`)
  if (customers === 'unknown')
    await pool.query(`delete from sandbox.objects where type = 'customer'`)
}

/** Makes every request to the sandbox fail, or stops that. */
async function cutOff(pool: pg.Pool, isCut: boolean) {
  const api = isCut ? { fault: 'break' } : {}
  await pool.query('update sandbox.control set settings = settings || $1', [
    JSON.stringify({ api }),
  ])
}

async function whyNot(connection: pg.PoolConfig) {
  return openWorld(connection).then(
    () => 'it starts',
    (error: Error) => `${error.name}: ${error.message}`,
  )
}

test('a server restarts with keys of the Stripe account that is stored in its database', async () => {
  const { connection, account } = await aPaidDatabase()
  expect(account).toEqual({ id: expect.stringMatching(/^acct_sandbox\w{12}$/), mode: 'test' })
  expect(await whyNot(connection)).toBe('it starts')
})

test('a server with keys of another Stripe account does not start, and its error names both accounts', async () => {
  const { connection, pool, account } = await aPaidDatabase()
  await changeAccount(pool, { customers: 'known' })
  const why = await whyNot(connection)
  expect(why).toMatch(
    new RegExp(
      `^StartError: [^\\n]*${account.id} \\(test mode\\)[^\\n]* acct_sandboxOther \\(test mode\\)[^\\n]* Set [^\\n]+$`,
    ),
  )
  expect(await storedAccount(pool)).toEqual(account)
})

test('the live mode and the test mode of a Stripe account count as two accounts', async () => {
  const { connection, pool, account } = await aPaidDatabase()
  await pool.query(`update installation set value = $1 where name = 'payment account'`, [
    JSON.stringify({ ...account, mode: 'live' }),
  ])
  expect(await whyNot(connection)).toMatch(/\(live mode\).*\(test mode\)/)
})

test('a server whose database names no Stripe account accepts the account that has the database’s customers', async () => {
  const { connection, pool } = await aPaidDatabase()
  await pool.query(`delete from installation where name = 'payment account'`)
  await pool.query(`update sandbox.account set id = 'acct_sandboxOther'`)
  expect(await whyNot(connection)).toBe('it starts')
  expect(await storedAccount(pool)).toEqual({ id: 'acct_sandboxOther', mode: 'test' })
})

test('a server whose database names no Stripe account refuses an account that has none of the database’s customers', async () => {
  const { connection, pool } = await aPaidDatabase()
  await pool.query(`delete from installation where name = 'payment account'`)
  await changeAccount(pool, { customers: 'unknown' })
  expect(await whyNot(connection)).toMatch(/^StartError: .*another account.* acct_sandboxOther/)
})

test('a server whose database has no customers accepts any Stripe account', async () => {
  const { world } = await aProject()
  const { connection, pool } = world
  await world.stop()
  await changeAccount(pool, { customers: 'unknown' })
  expect(await whyNot(connection)).toBe('it starts')
  expect(await storedAccount(pool)).toEqual({ id: 'acct_sandboxOther', mode: 'test' })
})

test('a server starts while Stripe does not answer, and refuses purchases until it has checked which account its keys belong to', async () => {
  const { connection, pool } = await aPaidDatabase()
  await cutOff(pool, true)
  const { lines, log } = aLog('warn')
  const world = await openWorld(connection, {}, log)
  expect(lines.filter((line) => line.includes('does not say which account this is'))).toHaveLength(
    1,
  )
  expect(reasonOf(await (await world.aPerson('ben')).pays())).toBe('paymentsUnavailable')
  await cutOff(pool, false)
  expect((await (await world.aPerson('cleo')).pays()).result).toMatchObject({
    subscriptionId: expect.any(String),
  })
})

test('a server that learns after its start that its keys belong to another Stripe account stops, and changes nothing in that account', async () => {
  const { connection, pool } = await aPaidDatabase()
  await changeAccount(pool, { customers: 'known' })
  await cutOff(pool, true)
  const world = await openWorld(connection)
  await cutOff(pool, false)
  const objects = async () =>
    (await pool.query<{ count: number }>('select count(*) from sandbox.objects')).rows
  const before = await objects()
  expect(reasonOf(await (await world.aPerson('ben')).pays())).toBe('paymentsUnavailable')
  expect(await objects()).toEqual(before)
  expect((await world.refused).message).toContain('acct_sandboxOther')
})

test('a server process with keys of the wrong Stripe account ends with a message, at its start or once Stripe answers', async () => {
  const { pool, url } = await aPaidDatabase()
  await changeAccount(pool, { customers: 'known' })
  const env = {
    DATABASE_URL: url,
    PUBLIC_URL: 'http://localhost:3000',
    SECRET_KEY: secretKey,
  }
  expect(await (await aServer({ env })).ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^\{[^\n]*"msg":"The projects in this database [^\n]* acct_sandboxOther [^\n]*\}\n$/,
    ),
  })
  await cutOff(pool, true)
  const server = await aServer({ env })
  await server.up()
  await cutOff(pool, false)
  expect(await server.ended).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('acct_sandboxOther'),
  })
})
