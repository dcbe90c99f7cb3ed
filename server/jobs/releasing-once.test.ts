import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { openPool } from '../sql/database.ts'
import { releasingOnce } from './releasing-once.ts'

test('a connection that is released twice goes back to the pool once', async () => {
  const { connection } = await aDatabase()
  const pool = openPool({ ...connection, max: 1 }, pino({ level: 'silent' }))
  onTestFinished(() => pool.end())
  const once = releasingOnce(pool)
  await new Promise<void>((resolve) => {
    once.connect((_error, _client, release) => {
      release()
      release()
      resolve()
    })
  })
  expect(pool.idleCount).toBe(1)
  const client = await once.connect()
  expect((await client.query('select 1 one')).rows).toEqual([{ one: 1 }])
  client.release()
})

test('a pool that gives no connection gives nothing to release', async () => {
  const { connection } = await aDatabase()
  const pool = openPool({ ...connection, max: 1 }, pino({ level: 'silent' }))
  await pool.end()
  const given = await new Promise((resolve) => {
    releasingOnce(pool).connect((error, _client, release) => resolve({ error, release }))
  })
  expect(given).toEqual({ error: expect.any(Error), release: undefined })
})
