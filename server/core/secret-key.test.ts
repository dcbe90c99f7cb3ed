// @module-tag slow
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { aBackup, aRestored, readText } from '../../tests/a-backup.ts'
import { hold, untilSomebodyWaits } from '../../tests/database.ts'
import { aLog, aWorld, cookieHeader, openWorld, secretKey, type World } from '../../tests/world.ts'
import { hashOf } from '../platform/ids.ts'
import { newKey } from '../platform/secrets.ts'

const ann = 'ann@example.com'
const other = newKey()

/** Keeps mails in the outbox, or in the queue, until the result is called. */
const inOutbox = (pool: pg.Pool) =>
  hold(pool, `select pg_advisory_xact_lock(hashtext('atrium outbox'))`)
const inQueue = (pool: pg.Pool) => hold(pool, 'lock table kept_mails in exclusive mode')

/** Makes the database one of a version without a SECRET_KEY. */
async function asBefore({ pool, stop }: World & { pool: pg.Pool }) {
  await stop()
  await pool.query(
    `delete from installation where name in ('secret key fingerprint', 'former marks until')`,
  )
}

/** The code of a mail that the next server sends, whose order a former version has put there. */
async function aPlainOrder(pool: pg.Pool, add: string) {
  const values = { name: 'Ann', code: 'the-code-in-plain-text' }
  await pool.query(
    `insert into action_codes (hash, user_id, mode, email, created_at, expires_at)
    select $1, id, 'resetPassword', email, now(), now() + interval '1 hour' from users where email = $2`,
    [hashOf(values.code), ann],
  )
  await pool.query(add, [
    JSON.stringify({ mail: 'resetPassword', to: ann, language: null, values }),
  ])
  return values.code
}

test.each([
  ['outbox', inOutbox, undefined],
  ['queue', inQueue, 'into kept_mails'],
])('a code that waits in the %s is not to be read there, nor in a backup', async (_, held, at) => {
  const world = await aWorld()
  const letGo = await held(world.pool)
  await world.signUp('ann')
  if (at !== undefined) await untilSomebodyWaits(world.pool, at)
  const text = await readText((await aBackup(world.connection)).file)
  expect(text).toContain(`"mail":"verifyEmail","to":"${ann}"`)
  await letGo()
  expect(text).not.toContain(await world.mailedCode(ann))
})

test('mails kept for /dev/mail are sealed, and in no backup', async () => {
  const world = await aWorld()
  await world.signUp('ann')
  const code = await world.mailedCode(ann)
  const { rows } = await world.pool.query('select * from kept_mails')
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(code)
  const { file } = await aBackup(world.connection)
  expect(await readText(file)).not.toContain(rows[0].text)
  expect((await (await aRestored(file)).pool.query('select from kept_mails')).rowCount).toBe(0)
})

test('a server with another key is refused, in a sentence that says what to do', async () => {
  const { connection, stop } = await aWorld()
  await stop()
  await expect(openWorld(connection, { SECRET_KEY: other })).rejects.toThrow(
    /^SECRET_KEY is not the key of this database: set SECRET_KEY to the one that it had, alone or after a new one and a comma\. /,
  )
})

test('a new key before the former one becomes that of the database, and mails that wait go', async () => {
  const { connection, pool, signUp, stop } = await aWorld()
  const letGo = await inOutbox(pool)
  await signUp('ann')
  await stop()
  const world = await openWorld(connection, { SECRET_KEY: `${other},${secretKey}` })
  await letGo()
  await world.openMail(ann)
  await world.stop()
  await expect(openWorld(connection)).rejects.toThrow('SECRET_KEY is not the key')
  await openWorld(connection, { SECRET_KEY: other })
})

test('a lost answer with new tokens can be asked for again after the key has changed', async () => {
  const { connection, aPerson, refresh } = await aWorld()
  const { cookie } = await aPerson()
  await refresh(cookie)
  const next = await openWorld(connection, { SECRET_KEY: `${other},${secretKey}` })
  const { status, headers } = await next.refresh(cookie)
  expect(status).toBe(200)
  expect((await next.refresh(cookieHeader(headers.getSetCookie()))).status).toBe(200)
})

test('a server that does not have the present key leaves sealed mails to the others', async () => {
  const { lines, log } = aLog('warn')
  const former = await aWorld({}, log)
  const letGo = await inOutbox(former.pool)
  const present = { SECRET_KEY: `${other},${secretKey}` }
  const next = await openWorld(former.connection, { ...present, ROLE: 'web' })
  await next.signUp('ann')
  await letGo()
  while (lines.length === 0) await delay(10)
  expect(lines[0]).toContain('This server lacks the SECRET_KEY that the database has now.')
  await former.stop()
  await former.pool.query('update graphile_worker._private_jobs set run_at = now()')
  await openWorld(former.connection, present)
  const waiting = 'select from graphile_worker._private_jobs'
  while ((await former.pool.query(waiting)).rowCount !== 0) await delay(10)
  await next.openMail(ann)
})

test('a mail whose key is lost ends with a line in the log, and is not tried again', async () => {
  const { connection, pool, signUp, stop } = await aWorld()
  const letGo = await inOutbox(pool)
  await signUp('ann')
  await stop()
  await pool.query(`delete from installation where name = 'secret key fingerprint'`)
  const { lines, log } = aLog('error')
  const world = await openWorld(connection, { SECRET_KEY: other }, log)
  await letGo()
  await world.untilWorkedOff()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { mail: 'verifyEmail', msg: expect.stringContaining('a mail is not sent') },
  ])
  expect((await pool.query('select from graphile_worker._private_jobs')).rowCount).toBe(0)
})

test.each([
  ['outbox', `insert into outbox (kind, task, payload) values ('job', 'sendMail', $1)`],
  ['queue', `select graphile_worker.add_job('sendMail', $1)`],
])('a code that a former version has left in the %s is sealed at the start', async (_, add) => {
  const world = await aWorld()
  await world.signUp('ann')
  await world.untilWorkedOff()
  await asBefore(world)
  const letGo = await inOutbox(world.pool)
  const code = await aPlainOrder(world.pool, add)
  const next = await openWorld(world.connection, { ROLE: 'web' })
  expect(await readText((await aBackup(world.connection)).file)).not.toContain(code)
  await next.stop()
  await letGo()
  expect(await (await openWorld(world.connection)).mailedCode(ann)).toBe(code)
})

test('without SECRET_KEY beside a DATABASE_URL the key is in the database, for all its servers', async () => {
  const { connection, pool, url, stop } = await aWorld()
  await stop()
  await pool.query('truncate installation, sandbox.account')
  const unset = { SECRET_KEY: '', DATABASE_URL: url }
  const [one, another] = [await openWorld(connection, unset), await openWorld(connection, unset)]
  await one.signUp('ann')
  await another.openMail(ann)
  await Promise.all([one.stop(), another.stop()])
  const keys = `select from installation where name = 'secret key'`
  expect((await pool.query(keys)).rowCount).toBe(1)
  await (await openWorld(connection)).stop()
  expect((await pool.query(keys)).rowCount).toBe(0)
  await expect(openWorld(connection, unset)).rejects.toThrow('and the environment has none')
})

test('a database that was made before remembers its browsers, and a new one no forged mark', async () => {
  const world = await aWorld({ TRUST_PROXY: '1' })
  const { uid, email, password } = await world.aPerson()
  const id = 'a'.repeat(22)
  const mark = world.services.keyedHash('device', `${id} ${uid} 0`)
  const signIn = async ({ call, mails }: World) => {
    const cookie = `atrium_device=${id}.${mark}`
    await call('signIn', { email, password }, { headers: { cookie } })
    return (await mails(email)).filter(({ subject }) => subject.startsWith('New sign-in')).length
  }
  expect(await signIn(world)).toBe(1)
  await asBefore(world)
  const upgraded = await openWorld(world.connection)
  expect(await signIn(upgraded)).toBe(0)
})
