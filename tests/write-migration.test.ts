import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readMigrations } from '../server/migrate/migration-files.ts'
import { writeMigration } from '../tools/migration.ts'

const tables = join(import.meta.dirname, '../server/store/schema.ts')

test('npm run migration writes files that servers read, and keeps the newest snapshot', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'app-migration-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { file, isEmpty } = await writeMigration('first', { tables, folder })
  expect([file, isEmpty]).toEqual([join(folder, '0001_first.sql'), false])
  expect(await readFile(file, 'utf8')).toContain('CREATE TABLE "users"')
  expect(await writeMigration('second', { tables, folder })).toMatchObject({ isEmpty: true })
  const [first, second] = await readMigrations([{ name: 'kites', folder }])
  expect(first).toMatchObject({ name: '0001_first', oldestCode: '0001' })
  expect(second).toMatchObject({ name: '0002_second', oldestCode: '0001' })
  expect(second!.when).toBeGreaterThan(first!.when)
  expect(await readdir(join(folder, 'meta'))).toEqual(['0002_snapshot.json', '_journal.json'])
})
