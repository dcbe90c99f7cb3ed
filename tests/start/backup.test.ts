import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { hold, untilSomebodyWaits } from '../database.ts'
import { aFolder, ann, aPoolOn, aPostgres, aServer, aStarted, signUp, whyNot } from './a-server.ts'

const log = pino({ level: 'silent' })

/** Runs a command to its end. */
async function run(command: 'backup' | 'restore', file: string, env: Record<string, string>) {
  const args = [`operate/commands/${command}.ts`, file]
  return (await aServer({ args, env })).ended
}

test('a backup made beside a server moves its people into the PostgreSQL of DATABASE_URL, and into a new DATA_DIR', async () => {
  const DATA_DIR = await aFolder()
  const file = join(DATA_DIR, 'a.sql.gz')
  const server = await aStarted({ env: { DATA_DIR } })
  await signUp(server)
  const [said, more] = (await run('backup', file, { DATA_DIR })).stdout.split('\n')
  expect(said).toMatch(/^Wrote .*a\.sql\.gz: made at .* by version \d.* on PostgreSQL \d/)
  expect(more).toMatch(/^\d+ rows in \d+ tables: 1 people, 0 projects, 0 invoices, /)
  expect((await run('restore', file, { DATA_DIR })).stderr).toBe(
    'A server runs on this database. Stop it, and restore again.\n',
  )
  server.child.kill()
  await server.ended

  const newFolder = join(await aFolder(), 'data')
  const places: Record<string, string>[] = [
    { DATABASE_URL: await aPostgres() },
    { DATA_DIR: newFolder },
  ]
  for (const env of places) {
    expect(await run('restore', file, env)).toMatchObject({ code: 0, stderr: '' })
    const { call, child, ended } = await aStarted({ env })
    expect(await call('signIn', ann)).toMatchObject({ status: 200 })
    child.kill()
    await ended
  }
})

test('a server that finds data of another PostgreSQL says how to move it', async () => {
  const DATA_DIR = await aFolder()
  const { stop } = await startEmbeddedPostgres({ dataDir: DATA_DIR, log })
  await stop()
  await writeFile(join(DATA_DIR, 'postgres', 'PG_VERSION'), '17\n')
  expect(await whyNot(await aServer({ env: { DATA_DIR } }))).toMatch(
    /^The data in .* is of PostgreSQL 17, .*Back it up with the version that made it, and restore/,
  )
})

test('a damaged backup makes no data folder', async () => {
  const folder = await aFolder()
  const file = join(folder, 'a.sql.gz')
  await writeFile(file, 'hello')
  const DATA_DIR = join(folder, 'data')
  const args = ['operate/commands/restore.ts', file]
  expect(await whyNot(await aServer({ args, env: { DATA_DIR } }))).toContain('not a whole backup')
  expect(existsSync(DATA_DIR)).toBe(false)
})

test('a backup that is stopped leaves no file, and one to standard output has nothing else in it', async () => {
  const DATA_DIR = await aFolder()
  const file = join(DATA_DIR, 'a.sql.gz')
  await aStarted({ env: { DATA_DIR } })
  const pool = await aPoolOn(DATA_DIR)
  onTestFinished(() => pool.end())
  const letGo = await hold(pool, 'lock table users')
  const waiting = await aServer({ args: ['operate/commands/backup.ts', file], env: { DATA_DIR } })
  await untilSomebodyWaits(pool, 'access share')
  waiting.child.kill('SIGTERM')
  expect(await whyNot(waiting)).toBe('Stopped. No file is kept.\n')
  await letGo()
  expect(existsSync(file) || existsSync(`${file}.part`)).toBe(false)

  const { stdout, stderr, code } = await run('backup', '-', { DATA_DIR })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(stdout).not.toContain('Wrote')
})
