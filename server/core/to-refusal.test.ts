import { drizzle } from 'drizzle-orm/node-postgres'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { reasonOf, toRefusal, violations } from './to-refusal.ts'

test('every foreign key to the tables users and subscriptions has a refusal reason, and every constraint with a reason exists', async () => {
  const { pool } = await aDatabase()
  const { rows } = await pool.query<{ name: string; mayBreak: boolean }>(
    `select conname name, contype = 'f' and confrelid in ('users'::regclass, 'subscriptions'::regclass) "mayBreak" from pg_constraint where connamespace = 'public'::regnamespace`,
  )
  const names = rows.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(violations)))
  const keys = rows.flatMap(({ name, mayBreak }) => (mayBreak ? [name] : []))
  expect(keys.length).toBeGreaterThan(10)
  expect(keys.filter((name) => reasonOf(name) === undefined)).toEqual([])
})

test('a question whose database connection breaks off, and one after it, are refused as unavailable', async () => {
  const { pool } = await aDatabase()
  const client = await pool.connect()
  onTestFinished(() => client.release(true))
  client.on('error', () => undefined)
  const asked = client.query('select pg_sleep(60)')
  client.connection.stream.destroy()
  const wrapped = asked.catch(() => drizzle(client).execute('select 1'))
  for (const asking of [asked, asked.catch(() => client.query('select 1')), wrapped]) {
    const error = await asking.catch((error: unknown) => error)
    expect(toRefusal(error).reason).toBe('unavailable')
  }
})
