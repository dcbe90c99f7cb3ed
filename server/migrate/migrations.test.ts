import { generateDrizzleJson, generateMigration, type DrizzleSnapshotJSON } from 'drizzle-kit/api'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { ourMigrations } from './migration-files.ts'
import * as schema from '../store/schema.ts'

test('the migrations create the same tables as schema.ts', async () => {
  const meta = join(ourMigrations, 'meta')
  const last = (await readdir(meta)).find((file) => file.endsWith('_snapshot.json'))!
  const snapshot = JSON.parse(await readFile(join(meta, last), 'utf8')) as DrizzleSnapshotJSON
  expect(await generateMigration(snapshot, generateDrizzleJson(schema))).toEqual([])
})

test('no trigger notifies by itself, which would let only one transaction commit at a time', async () => {
  const { pool } = await aDatabase()
  const { rows } = await pool.query(
    `select tgname from pg_trigger join pg_proc on pg_proc.oid = tgfoid
     where not tgisinternal and prosrc ilike '%notify(%'`,
  )
  expect(rows).toEqual([])
})
