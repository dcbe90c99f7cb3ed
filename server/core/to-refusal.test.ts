import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { violations } from './to-refusal.ts'

test('every foreign key to the table users has a refusal reason, and every constraint with a reason exists', async () => {
  const { pool } = await aDatabase()
  const { rows } = await pool.query<{ name: string; refersToUsers: boolean }>(
    `select conname name, contype = 'f' and confrelid = 'users'::regclass "refersToUsers" from pg_constraint where connamespace = 'public'::regnamespace`,
  )
  const names = rows.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(violations)))
  const toUsers = rows.flatMap(({ name, refersToUsers }) => (refersToUsers ? [name] : []))
  expect(toUsers.length).toBeGreaterThan(10)
  expect(toUsers.filter((name) => !(name in violations))).toEqual([])
})
