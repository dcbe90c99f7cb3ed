import { generateDrizzleJson, generateMigration, type DrizzleSnapshotJSON } from 'drizzle-kit/api'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { core, listSeries } from './series.ts'

test.each(listSeries())('the migrations of $name create the tables of its file', async (series) => {
  const { name, folder } = series
  const tables = name === core ? '../store/schema.ts' : `../../modules/${name}/tables.ts`
  const meta = join(folder, 'meta')
  const snapshots = (await readdir(meta)).filter((file) => file.endsWith('_snapshot.json'))
  expect(snapshots).toHaveLength(1)
  const snapshot = JSON.parse(await readFile(join(meta, snapshots[0]!), 'utf8'))
  const wanted = generateDrizzleJson((await import(tables)) as Record<string, unknown>)
  expect(await generateMigration(snapshot as DrizzleSnapshotJSON, wanted)).toEqual([])
})

test('no trigger notifies by itself, which would let only one transaction commit at a time', async () => {
  const { pool } = await aDatabase()
  const { rows } = await pool.query(
    `select tgname from pg_trigger join pg_proc on pg_proc.oid = tgfoid
     where not tgisinternal and prosrc ilike '%notify(%'`,
  )
  expect(rows).toEqual([])
})

/** A database with two projects, and a table of a module that make_live has made live. */
async function aLiveTable() {
  const { pool } = await aDatabase()
  await pool.query(`
    insert into subscriptions (id, plan_id, status, created_at)
      values ('a', 'free', 'active', now()), ('b', 'free', 'active', now());
    create table kites (id int primary key, name text,
      subscription_id text not null references subscriptions on delete cascade);
    select make_live('kites', 'fleet')`)
  /** What a statement tells open tabs. */
  return async (statement: string) => {
    await pool.query('delete from outbox')
    await pool.query(statement)
    const { rows } = await pool.query<{ told: string }>(
      `select concat_ws(' of ', payload->>'what', payload->>'subscription') told
       from outbox where kind = 'notice' order by told`,
    )
    return rows.map(({ told }) => told)
  }
}

test('make_live tells open tabs of rows that come, change, move and go', async () => {
  const told = await aLiveTable()
  expect(await told(`insert into kites values (1, 'Ada', 'a')`)).toEqual(['fleet of a'])
  expect(await told(`update kites set name = 'Ada'`)).toEqual([])
  expect(await told(`update kites set name = 'Bea'`)).toEqual(['fleet of a'])
  expect(await told(`update kites set subscription_id = 'b'`)).toEqual(['fleet of a', 'fleet of b'])
  expect(await told('delete from kites')).toEqual(['fleet of b'])
})

test('rows of a live table go with their project', async () => {
  const told = await aLiveTable()
  await told(`insert into kites values (1, 'Ada', 'a'), (2, 'Bea', 'a')`)
  const notices = await told(`delete from subscriptions where id = 'a'`)
  expect(notices).toEqual(['fleet of a', 'fleet of a'])
})

test('make_live refuses a table that does not say whose its rows are', async () => {
  const { pool } = await aDatabase()
  const statement = `create table kites (id int); select make_live('kites', 'fleet')`
  await expect(pool.query(statement)).rejects.toThrow('column "subscription_id" does not exist')
})
