import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { violations } from './to-refusal.ts'

test('every foreign key to the tables users and subscriptions has a refusal reason, and every constraint with a reason exists', async () => {
  const { pool } = await aDatabase()
  const { rows } = await pool.query<{ name: string; mayBreak: boolean }>(
    `select conname name, contype = 'f' and confrelid in ('users'::regclass, 'subscriptions'::regclass) "mayBreak" from pg_constraint where connamespace = 'public'::regnamespace`,
  )
  const names = rows.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(violations)))
  const keys = rows.flatMap(({ name, mayBreak }) => (mayBreak ? [name] : []))
  expect(keys.length).toBeGreaterThan(10)
  expect(keys.filter((name) => !(name in violations))).toEqual([])
})
