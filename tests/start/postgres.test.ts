import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { serverRole, superuser } from '../../server/postgres/cluster.ts'
import { asUser, canRun, findUser, type User } from '../../server/postgres/unprivileged.ts'
import { aFolder, aStarted, postgresOn, root } from './a-server.ts'

/** The user that PostgreSQL runs as when root starts it. */
const lent = await findUser(undefined)
const canAsk = lent !== undefined && (await canRun(process.execPath, ['--version'], lent))
const canRead = canAsk && (await canRun('/bin/sh', ['-c', 'cd "$1"', 'sh', root], lent))
const isLinux = process.platform === 'linux'

test('the server’s database role is no superuser, can’t become one and can’t run programs', async () => {
  const { session } = await aPostgres(await aFolder())
  const { rows } = await session.query(
    `select current_user, current_setting('is_superuser') as superuser`,
  )
  expect(rows).toEqual([{ current_user: serverRole, superuser: 'off' }])
  for (const statement of [
    `copy (select 1) to program 'cat'`,
    `copy (select 1) to '/tmp/copied'`,
    `select pg_read_file('postgresql.conf')`,
    `set role ${superuser}`,
    `set session authorization ${superuser}`,
    `alter role ${serverRole} superuser`,
    `create role somebody`,
    `create extension file_fdw`,
  ])
    await expect(session.query(statement), statement).rejects.toMatchObject({ code: '42501' })
})

test.runIf(isLinux)('PostgreSQL gets none of the server’s environment variables', async () => {
  const DATA_DIR = await aFolder()
  const secrets = {
    METRICS_TOKEN: 'a-secret-token-of-ours',
    STRIPE_WEBHOOK_SECRET: 'whsec_secret_of_ours',
  }
  await aStarted({ env: { DATA_DIR, ...secrets } })
  const environment = await readFile(`/proc/${await postgresOn(DATA_DIR)}/environ`, 'utf8')
  for (const [name, value] of Object.entries(secrets)) {
    expect(environment).not.toContain(name)
    expect(environment).not.toContain(value)
  }
})

test.runIf(canAsk)(
  'a program that runs as the user of root’s PostgreSQL can’t open a database',
  async () => {
    const dataDir = await aFolder()
    const { notes, connection } = await aPostgres(dataDir)
    expect(notes.join()).toMatch(/Root started PostgreSQL/)
    for (const role of [serverRole, superuser])
      expect(await answerTo(lent, role, connection.host), role).toMatch(/^E[^]+C28000/)
    expect(await answerTo(undefined, serverRole, connection.host)).toMatch(/^R/)
  },
)

test.each([
  ['is empty', ''],
  ['holds garbage', '\0'.repeat(8)],
  ['names another process', `${process.ppid}\n/data\n0\n5432\n/tmp/gone\n`],
])('PostgreSQL starts although its file with the process id %s', async (_, content) => {
  const options = { dataDir: await aFolder(), log: pino({ level: 'silent' }) }
  const first = await startEmbeddedPostgres(options)
  await first.stop()
  await writeFile(join(options.dataDir, 'postgres', 'postmaster.pid'), content)
  const again = await startEmbeddedPostgres(options)
  await again.stop()
})

test.runIf(canRead)('a command of another user than the server’s says so in one line', async () => {
  const dataDir = await aFolder()
  await aPostgres(dataDir)
  const { env, ...options } = asUser(lent)
  const child = spawn(process.execPath, [join(root, 'operate/commands/trace.ts'), 'x'], {
    ...options,
    env: { ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  expect(await text(child.stderr)).toBe(
    `DATA_DIR ${dataDir} belongs to another user. Run this as the user who runs the server.\n`,
  )
})

/** Starts PostgreSQL and opens a session as the server does. */
async function aPostgres(dataDir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) })
  const session = new pg.Client(postgres.connection)
  await session.connect()
  onTestFinished(async () => {
    await session.end()
    await postgres.stop()
  })
  return { ...postgres, session }
}

/** How PostgreSQL begins its answer to a program of this user that connects as this role. */
async function answerTo(user: User | undefined, role: string, socketDir: string) {
  const child = spawn(process.execPath, ['-e', asking, join(socketDir, '.s.PGSQL.5432'), role], {
    ...asUser(user),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return text(child.stdout)
}

const asking = `
  const [, socket, role] = process.argv
  const parameters = Buffer.from('....\\0\\x03\\0\\0user\\0' + role + '\\0database\\0postgres\\0\\0')
  parameters.writeInt32BE(parameters.length)
  require('node:net').connect(socket, function () { this.write(parameters) }).once('data', function (answer) {
    process.stdout.write(answer)
    this.destroy()
  })`
