import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { reasons } from './violations.ts'

test('every constraint that a race can break has its reason, and every reason its constraint', async () => {
  const { pool } = await aDatabase()
  const { rows } = await pool.query<{ name: string; isOfPeople: boolean }>(
    `select conname name, contype = 'f' and confrelid = 'users'::regclass "isOfPeople" from pg_constraint where connamespace = 'public'::regnamespace`,
  )
  const names = rows.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(reasons)))
  const ofPeople = rows.flatMap(({ name, isOfPeople }) => (isOfPeople ? [name] : []))
  expect(ofPeople.length).toBeGreaterThan(10)
  expect(Object.keys(reasons)).toEqual(expect.arrayContaining(ofPeople))
})
