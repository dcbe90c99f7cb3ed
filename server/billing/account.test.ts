import type pg from 'pg'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { aServer } from '../../tests/start/a-server.ts'
import { aLog, aProject, openWorld, reasonOf } from '../../tests/world.ts'

async function storedAccount(pool: pg.Pool) {
  const { rows } = await pool.query<{ value: { id: string; mode: string } }>(
    `select value::json from installation where name = 'payment account'`,
  )
  return rows[0]!.value
}

/** A project that is paid for; its server has stopped. */
async function aPaidDatabase() {
  const { connection, pool, url } = await aDatabase()
  const world = await openWorld(connection)
  await (await world.aPerson()).pays()
  await world.untilWorkedOff()
  await world.stop()
  return { connection, pool, url, account: await storedAccount(pool) }
}

/** What answers there now is another sandbox, with or without what the former one had. */
async function changeAccount(pool: pg.Pool, { customers }: { customers: 'known' | 'unknown' }) {
  await pool.query(`update sandbox.account set id = 'acct_sandboxOther'`)
  if (customers === 'unknown')
    await pool.query(`delete from sandbox.objects where type = 'customer'`)
}

/** Break every request to the provider, from the first one on. */
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

test('a server starts again with the account that its database belongs to', async () => {
  const { connection, account } = await aPaidDatabase()
  expect(account).toEqual({ id: expect.stringMatching(/^acct_sandbox\w{12}$/), mode: 'test' })
  expect(await whyNot(connection)).toBe('it starts')
})

test('a server with keys of another account does not start, and names both accounts', async () => {
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

test('the live mode of an account counts as another account', async () => {
  const { connection, pool, account } = await aPaidDatabase()
  await pool.query(`update installation set value = $1 where name = 'payment account'`, [
    JSON.stringify({ ...account, mode: 'live' }),
  ])
  expect(await whyNot(connection)).toMatch(/\(live mode\).*\(test mode\)/)
})

test('a database without a stored account takes the account that has its customers', async () => {
  const { connection, pool } = await aPaidDatabase()
  await pool.query(`delete from installation where name = 'payment account'`)
  await pool.query(`update sandbox.account set id = 'acct_sandboxOther'`)
  expect(await whyNot(connection)).toBe('it starts')
  expect(await storedAccount(pool)).toEqual({ id: 'acct_sandboxOther', mode: 'test' })
})

test('a database without a stored account refuses an account that has none of its customers', async () => {
  const { connection, pool } = await aPaidDatabase()
  await pool.query(`delete from installation where name = 'payment account'`)
  await changeAccount(pool, { customers: 'unknown' })
  expect(await whyNot(connection)).toMatch(/^StartError: .*another account.* acct_sandboxOther/)
})

test('a database without customers takes any account', async () => {
  const { world } = await aProject()
  const { connection, pool } = world
  await world.stop()
  await changeAccount(pool, { customers: 'unknown' })
  expect(await whyNot(connection)).toBe('it starts')
  expect(await storedAccount(pool)).toEqual({ id: 'acct_sandboxOther', mode: 'test' })
})

test('a server starts while the provider gives no answer, and sends no request before it knows the account', async () => {
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

test('a server stops when the provider answers late as another account, and has changed nothing there', async () => {
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

test('a process with the wrong account logs that and ends, at its start or once the provider answers', async () => {
  const { pool, url } = await aPaidDatabase()
  await changeAccount(pool, { customers: 'known' })
  const env = { DATABASE_URL: url, PUBLIC_URL: 'http://localhost:3000' }
  expect(await (await aServer({ env })).ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The projects in this database [^\n]* acct_sandboxOther [^\n]*\n$/,
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
