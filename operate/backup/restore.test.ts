// @module-tag slow
import { readFile, writeFile } from 'node:fs/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import {
  aBackup,
  aRestored,
  aTarget,
  readText,
  restoreInto,
  writeSealed,
  writeText,
} from '../../tests/a-backup.ts'
import { aBilledProject } from '../../tests/a-billed-project.ts'
import { aDatabase } from '../../tests/database.ts'
import { aCore, aModule, newest, since, total } from '../../tests/migrations.ts'
import { aWorld, openWorld } from '../../tests/world.ts'
import { newKey } from '../../server/platform/secrets.ts'
import { migrateDatabase } from '../../server/migrate/migrate.ts'
import { listSeries } from '../../server/migrate/series.ts'
import { marker } from './format.ts'
import { checkBackup } from './read-backup.ts'

const week = 7 * 24 * 3600
const log = pino({ level: 'silent' })

test.each([
  ['cut', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['cut in the middle', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['changed in one byte', (bytes: Buffer) => flipped(bytes, bytes.length / 2)],
  [
    'changed in a byte that gzip does not read',
    (bytes: Buffer) => flipped(bytes, bytes.length - 123),
  ],
  ['changed in its last byte', (bytes: Buffer) => flipped(bytes, bytes.length - 1)],
  ['no backup', () => Buffer.from('hello')],
])('a file that is %s is refused, and the database stays as it was', async (_, damage) => {
  const { file, into, rows } = await aTarget()
  const bytes = await readFile(file)
  await writeFile(file, damage(bytes))
  const why = 'is not a whole backup: some of it is missing or damaged.'
  await expect(checkBackup(file)).rejects.toThrow(why)
  const before = await rows()
  await expect(into()).rejects.toThrow(why)
  expect(await rows()).toEqual(before)
  await writeFile(file, bytes)
  expect(await into()).toContain('1 people')
})

test('the seal is checked before anything of a file is read or shown', async () => {
  const { file, rewrite } = await aTarget()
  await rewrite((text) => text.replace(/"version":\d+/, '"version":3'))
  await expect(checkBackup(file)).rejects.toThrow('in a form that this version does not know')
  const bytes = await readFile(file)
  await writeFile(file, flipped(bytes, bytes.length - 1))
  await expect(checkBackup(file)).rejects.toThrow('is not a whole backup')
})

test.each([
  ['tables that are no list', /"tables":\[.*\],"sequences"/, '"tables":{},"sequences"'],
  ['a table without columns', /,"columns":\[.*?\]/, ''],
  ['a number for a version', /"product":"[^"]*"/, '"product":1'],
  [
    'a version that changes the title of a terminal',
    /"product":"/,
    '"product":"\\u001b]0;x\\u0007',
  ],
  ['a newer form and no version', /"version":\d+,.*?"tables"/, '"version":3,"tables"'],
  ['counts that are no numbers', /^-- rows .*$/m, '-- rows null'],
])('a sealed backup with %s is refused like a damaged one', async (_, former, now) => {
  const { file, into } = await aTarget()
  const text = await readText(file)
  expect(text).toMatch(former)
  await writeSealed(file, text.replace(former, now))
  await expect(into()).rejects.toThrow(/^[^\p{C}]* is not a whole backup: [^\p{C}]*$/u)
})

test('a backup whose first line has no end is refused before it fills the memory', async () => {
  const { file, into } = await aTarget()
  await writeSealed(file, `${marker}${'a'.repeat(200e6)}`)
  await expect(into()).rejects.toThrow('is not a whole backup')
})

/** A backup in which a mail to Ann waits. */
async function aBackupWithAMail() {
  const { connection, signUp, stop } = await aWorld({ ROLE: 'web' })
  await signUp('ann')
  await stop()
  return aBackup(connection)
}

test('without the key of the backup it is restored, and what the key sealed is dropped', async () => {
  const { file } = await aBackupWithAMail()
  const target = await aDatabase({ isEmpty: true })
  const key = { SECRET_KEY: newKey() }
  expect(await restoreInto(target.connection, file, key)).toContain(
    'The backup’s SECRET_KEY is not here, so these are lost: 1 mail with a link that waited, and',
  )
  const world = await openWorld(target.connection, key)
  expect(await world.mails('ann@example.com')).toEqual([])
  await world.does('confirmPasswordReset', {
    oobCode: await world.resetCode('ann@example.com'),
    newPassword: 'brand new horse',
  })
  await expect(openWorld(target.connection)).rejects.toThrow('SECRET_KEY is not the key')
})

test('with the key of the backup its mails that wait are sent', async () => {
  const { said, open } = await aRestored((await aBackupWithAMail()).file)
  expect(said).not.toContain('SECRET_KEY')
  await (await open()).openMail('ann@example.com')
})

test('a row that the tables refuse is named, and the database stays as it was', async () => {
  const { file, into, rewrite, rows } = await aTarget()
  const before = await rows()
  const text = await rewrite((text) => text.replace(/(?<=COPY "public"."users".*\n)(.*\n)/, '$1$1'))
  await expect(into()).rejects.toThrow(
    /^The database failed: duplicate key.*Nothing was restored, and you can try again with the same/,
  )
  expect(await rows()).toEqual(before)
  await rewrite(() => text)
  await expect(checkBackup(file)).resolves.toBeUndefined()
  expect(await into()).toContain('1 people')
})

test.each([
  [
    'tables from before the first version',
    /"migration":\{.*?\}/,
    '"migration":{"name":"0016_takeover","when":1795000000000}',
    'The backup is older than version 1.0.0. Restore it with 1.0.0, and make a new one.',
  ],
  [
    'newer tables',
    /"applied":\[/,
    '"applied":[{"series":"core","name":"9999_later"},',
    /^The backup has tables as of the migration 9999, which this version does not know\. Restore it with version \d/,
  ],
  [
    'a newer form',
    /"version":\d+/,
    '"version":3',
    /in a form that this version does not know\. Restore it with version \d/,
  ],
  [
    'a column that is missing here',
    /"columns":\[/,
    '"columns":["added",',
    /^The backup has a column .*\.added and the database has none\. Restore it with version/,
  ],
])('a backup with %s is refused, and the database stays as it was', async (_, former, now, why) => {
  const { into, rewrite, rows } = await aTarget()
  const before = await rows()
  await rewrite((text) => text.replace(former, now))
  await expect(into()).rejects.toThrow(why)
  expect(await rows()).toEqual(before)
})

test('a backup goes into no database with people, nor beside a server', async () => {
  const world = await aWorld()
  const { file } = await aBackup(world.connection)
  const into = () => restoreInto(world.connection, file)
  await expect(into()).rejects.toThrow(
    'A server runs on this database. Stop it, and restore again.',
  )
  await world.signUp('ann')
  await world.untilWorkedOff()
  await world.stop()
  await expect(into()).rejects.toThrow(
    /^The database is not empty: there are rows in .*users, .*Restore into a new one, with another DATA_DIR or DATABASE_URL\.$/,
  )
})

test('a backup of older tables is restored and brought up to date, and is refused where the tables are newer', async () => {
  const { connection, pool } = await aDatabase({ isEmpty: true })
  const last = String(Number(newest) - 1).padStart(4, '0')
  await migrateDatabase(connection, log, { series: [await aCore({ until: last })] })
  await pool.query(
    `insert into users (id, email, display_name, created_at, updated_at) values ('a', 'ann@example.com', 'Ann', now(), now())`,
  )
  const { file, said } = await aBackup(connection)
  expect(said).toContain(`migration ${last}.`)
  const { pool: copy, open } = await aRestored(file)
  const applied = `select count(*) from migrations where series = 'core'`
  expect((await copy.query(applied)).rows).toEqual([{ count: total }])
  const world = await open()
  expect(await world.services.store.users.findByEmail('ann@example.com')).toMatchObject({ id: 'a' })

  const upToDate = await aDatabase()
  await expect(restoreInto(upToDate.connection, file)).rejects.toThrow(
    `The database has newer tables than the backup, which is of migration ${last}.`,
  )
})

test('after the restore of an older backup, the first server learns from the payment provider what has happened since', async () => {
  const world = await aWorld()
  const { owner, subscriptionId, change } = await aBilledProject({ world })
  const canceled = (await owner.buys()).subscriptionId
  await world.untilWorkedOff()
  const { file } = await aBackup(world.connection)
  await change('enterprise')
  await owner.cancels(canceled)
  await world.passAtProvider(week + 3600)
  const projects = await owner.projects()
  // Their addresses are secrets of ours, which the older backup can not have.
  const invoices = (await owner.invoices(subscriptionId)).map(({ id, status, total }) => ({
    id,
    status,
    total,
  }))
  await withSandboxOf((await aBackup(world.connection)).file, file)

  const other = await (await aRestored(file)).open()
  await other.untilWorkedOff()
  const { token } = owner
  expect((await other.does('listSubscriptions', {}, { token })).subscriptions).toEqual(projects)
  expect(await other.does('listInvoices', { subscriptionId }, { token })).toMatchObject({
    invoices,
  })
})

test('tables of others are backed up and named, and left out where there are none', async () => {
  const { connection, pool } = await aDatabase()
  await pool.query(`create table notes (note text); insert into notes values (E'a\\nb')`)
  const { file } = await aBackup(connection)
  const { said } = await aRestored(file)
  expect(said).toContain('Left out: public.notes, which no migration makes.')
  const target = await aDatabase({ isEmpty: true })
  await target.pool.query('create table notes (note text)')
  await restoreInto(target.connection, file)
  expect((await target.pool.query('select note from notes')).rows).toEqual([{ note: 'a\nb' }])
})

test('a backup before 0024, which names no module, is restored', async () => {
  const { file, rewrite } = await aTarget()
  await rewrite((text) => text.replace(/"applied":\[.*?\],/, ''))
  expect((await aRestored(file)).said).toContain('1 people')
  await rewrite((text) =>
    text.replace(/"migration":\{.*?\}/, '"migration":{"name":"9999_later","when":9999999999999}'),
  )
  await expect(checkBackup(file)).rejects.toThrow('as of the migration 9999, which this version')
})

/** A backup of a database with a module that has one row, and the module's series. */
async function aBackupWithKites() {
  const { connection, pool } = await aDatabase({ isEmpty: true })
  const create = `${since('0001')}create table kites (name text);
    create table kites_crew (name text)`
  const kites = await aModule('kites', [create])
  const later = await aModule('kites', [create, `${since('0001')}alter table kites add age int`])
  await migrateDatabase(connection, log, { series: [...listSeries(), kites] })
  await pool.query(`insert into kites values ('Ada')`)
  const backup = await aBackup(connection, [...listSeries(), kites])
  return { ...backup, connection, kites: [...listSeries(), kites], later: [...listSeries(), later] }
}

const inSeries = 'select series, count(*) from migrations group by series'

test('a module’s rows come back, and its tables are then brought up to date', async () => {
  const { file, said, later } = await aBackupWithKites()
  expect(said).toContain(', module kites')
  const { pool } = await aRestored(file, later)
  expect((await pool.query('select * from kites')).rows).toEqual([{ name: 'Ada', age: null }])
  expect((await pool.query(inSeries)).rows).toContainEqual({ series: 'kites', count: 2 })
})

test('without the module, its tables are left out and named, and the rest is restored', async () => {
  const { file } = await aBackupWithKites()
  const { said, pool, open } = await aRestored(file)
  for (const table of ['kites', 'kites_crew'])
    expect(said).toContain(`Left out: public.${table}, of the module kites, which is not here.`)
  expect((await pool.query(inSeries)).rows).toContainEqual({ series: 'core', count: total })
  expect((await pool.query(`${inSeries} having series = 'kites'`)).rows).toEqual([])
  await (await open()).signUp('ann')
})

test('a backup is made of a database with a module that is not here, and none of a newer module', async () => {
  const { connection, kites, later } = await aBackupWithKites()
  await migrateDatabase(connection, log, { series: later })
  expect((await aBackup(connection)).said).toContain(', module kites')
  await expect(aBackup(connection, kites)).rejects.toThrow('Back it up with that version.')
})

test('a backup of a newer module, or into a database with newer tables of one, is refused', async () => {
  const { file, connection, kites, later } = await aBackupWithKites()
  await migrateDatabase(connection, log, { series: later })
  const newer = await aBackup(connection, later)
  await expect(aRestored(newer.file, kites)).rejects.toThrow(
    'as of the migration kites 0002, which this version does not know.',
  )
  await expect(restoreInto(connection, file, undefined, later)).rejects.toThrow(
    'The database has newer tables than the backup',
  )
})

test('a database that servers before 0024 have left is backed up as it is', async () => {
  const { connection, pool } = await aDatabase({ isEmpty: true })
  await migrateDatabase(connection, log, { series: [await aCore({ until: '0023' })] })
  await pool.query('drop table migrations')
  expect((await aBackup(connection)).said).toContain('migration 0023.')
})

/** Gives a backup the provider's rows from a later one, as if the provider had gone on meanwhile. */
async function withSandboxOf(later: string, file: string) {
  const of = /^COPY "sandbox".*?^\\\.$/gms
  const tables = (await readText(later)).match(of)!
  await writeText(
    file,
    (await readText(file)).replace(of, () => tables.shift()!),
  )
}

function flipped(bytes: Buffer, at: number) {
  const copy = Buffer.from(bytes)
  copy[Math.floor(at)]! ^= 1
  return copy
}
