// @module-tag slow
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { makeFormerQueue } from '../../operate/backup/restore.ts'
import { aBackup, aRestored, readText } from '../../tests/a-backup.ts'
import { hold, untilSomebodyWaits } from '../../tests/database.ts'
import { aLog, aWorld, cookieHeader, openWorld, secretKey, type World } from '../../tests/world.ts'
import { hashOf } from '../platform/ids.ts'
import { newKey } from '../platform/secrets.ts'

const ann = 'ann@example.com'
const other = newKey()

/** Makes the database one of a version without a SECRET_KEY. */
async function asBefore({ pool, stop }: World & { pool: pg.Pool }) {
  await stop()
  await pool.query(
    `delete from installation where name in ('secret key fingerprint', 'former marks until')`,
  )
}

/** The tables of the job queue of version 1.0.0. */
async function aFormerQueue(pool: pg.Pool) {
  const job = 'id task_id key payload attempts max_attempts run_at last_error created_at locked_by'
  const client = await pool.connect()
  await makeFormerQueue(client as unknown as pg.Client, [
    { name: 'graphile_worker._private_tasks', columns: ['id', 'identifier'] },
    { name: 'graphile_worker._private_jobs', columns: job.split(' ') },
  ])
  client.release()
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

test('a code that waits in the queue is not to be read there, nor in a backup', async () => {
  const world = await aWorld()
  const letGo = await hold(world.pool, 'lock table kept_mails in exclusive mode')
  await world.signUp('ann')
  await untilSomebodyWaits(world.pool, 'into kept_mails')
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
  const { connection, signUp, stop } = await aWorld({ ROLE: 'web' })
  await signUp('ann')
  await stop()
  const world = await openWorld(connection, { SECRET_KEY: `${other},${secretKey}` })
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
  const present = { SECRET_KEY: `${other},${secretKey}` }
  const next = await openWorld(former.connection, { ...present, ROLE: 'web' })
  await next.signUp('ann')
  while (lines.length === 0) await delay(10)
  expect(lines[0]).toContain('This server lacks the SECRET_KEY that the database has now.')
  await former.stop()
  await former.pool.query('update jobs set run_at = now()')
  await openWorld(former.connection, present)
  const waiting = 'select from jobs'
  while ((await former.pool.query(waiting)).rowCount !== 0) await delay(10)
  await next.openMail(ann)
})

test('a mail whose key is lost ends with a line in the log, and is not tried again', async () => {
  const { connection, pool, signUp, stop } = await aWorld({ ROLE: 'web' })
  await signUp('ann')
  await stop()
  await pool.query(`delete from installation where name = 'secret key fingerprint'`)
  const { lines, log } = aLog('error')
  const world = await openWorld(connection, { SECRET_KEY: other }, log)
  await world.untilWorkedOff()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { mail: 'verifyEmail', msg: expect.stringContaining('a mail is not sent') },
  ])
  expect((await pool.query('select from jobs')).rowCount).toBe(0)
})

test.each([
  ['outbox', `insert into outbox (kind, task, payload) values ('job', 'sendMail', $1)`],
  [
    'queue',
    `with task as (insert into graphile_worker._private_tasks values (1, 'sendMail'))
    insert into graphile_worker._private_jobs (id, task_id, payload, attempts, max_attempts, run_at, created_at)
    values (1, 1, $1, 0, 17, now(), now())`,
  ],
])(
  'a mail that a former version has left in its %s is sealed at the start, and sent',
  async (_, add) => {
    const world = await aWorld()
    await world.signUp('ann')
    await world.untilWorkedOff()
    await asBefore(world)
    await aFormerQueue(world.pool)
    const code = await aPlainOrder(world.pool, add)
    const next = await openWorld(world.connection, { ROLE: 'web' })
    expect(await readText((await aBackup(world.connection)).file)).not.toContain(code)
    await next.stop()
    expect(await (await openWorld(world.connection)).mailedCode(ann)).toBe(code)
  },
)

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
    const cookie = `pergola_device=${id}.${mark}`
    await call('signIn', { email, password }, { headers: { cookie } })
    return (await mails(email)).filter(({ subject }) => subject.startsWith('New sign-in')).length
  }
  expect(await signIn(world)).toBe(1)
  await asBefore(world)
  const upgraded = await openWorld(world.connection)
  expect(await signIn(upgraded)).toBe(0)
})
