import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '../../server/store/embedded-postgres.ts'
import { serverRole, superuser } from '../../server/store/embedded/roles.ts'
import { asUser, canRun, findUser, type User } from '../../server/store/embedded/unprivileged.ts'
import { aFolder, aServer, postgresOn } from './a-server.ts'

/** The user that PostgreSQL runs as when root starts it. */
const lent = await findUser(undefined)
const canAsk = lent !== undefined && (await canRun(process.execPath, lent))
const isLinux = process.platform === 'linux'

test('the server’s role is no superuser, becomes none, and runs no program', async () => {
  const { session } = await aPostgres(await aFolder())
  const { rows } = await session.query(
    `select current_user, current_setting('is_superuser') as superuser`,
  )
  expect(rows).toEqual([{ current_user: serverRole, superuser: 'off' }])
  for (const statement of [
    `copy (select 1) to program 'cat'`,
    `copy (select 1) to '/tmp/atrium-copy'`,
    `select pg_read_file('postgresql.conf')`,
    `set role ${superuser}`,
    `set session authorization ${superuser}`,
    `alter role ${serverRole} superuser`,
    `create role somebody`,
    `create extension file_fdw`,
  ])
    await expect(session.query(statement), statement).rejects.toMatchObject({ code: '42501' })
})

test('a database that an older version made as superuser goes to the server’s role', async () => {
  const DATA_DIR = await aFolder()
  const first = await aServer({ env: { DATA_DIR } })
  await first.up()
  const ann = { email: 'ann@example.com', password: 'correct horse' }
  await first.call('signUp', { fullName: 'Ann', ...ann })
  first.child.kill()
  await first.ended
  await giveBackToSuperuser(DATA_DIR)

  const second = await aServer({ env: { DATA_DIR } })
  await second.up()
  const { result } = await second.call('signIn', ann)
  expect(
    (await second.call('createSubscription', { planId: 'free' }, result!.token)).result,
  ).toBeTruthy()
  second.child.kill()
  await second.ended
  const { session } = await aPostgres(DATA_DIR)
  expect((await session.query(owners)).rows).toEqual([{ owner: serverRole }])
})

test.runIf(isLinux)('PostgreSQL has nothing of the server’s environment', async () => {
  const DATA_DIR = await aFolder()
  const secrets = { METRICS_TOKEN: 'a-secret-token', STRIPE_WEBHOOK_SECRET: 'whsec_secret' }
  await (await aServer({ env: { DATA_DIR, ...secrets } })).up()
  const environment = await readFile(`/proc/${await postgresOn(DATA_DIR)}/environ`, 'utf8')
  const names = environment
    .split('\0')
    .flatMap((variable) => variable.split('=', 1).filter(Boolean))
  expect(names.toSorted()).toEqual(['HOME', 'LC_ALL', 'PATH', 'TZ'])
})

test.runIf(canAsk)(
  'programs that run as the user of root’s PostgreSQL get into no database',
  async () => {
    const dataDir = await aFolder()
    const { notes, connection } = await aPostgres(dataDir)
    expect(notes.join()).toMatch(/Root started PostgreSQL/)
    for (const role of [serverRole, superuser])
      expect(await answerTo(lent, role, connection.host), role).toMatch(/^E[^]+C28000/)
    expect(await answerTo(undefined, serverRole, connection.host)).toMatch(/^R/)
  },
)

/** With a session as the server has it. */
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

/** As it was when the superuser made everything, and everybody who reached the socket was let in. */
async function giveBackToSuperuser(dataDir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) })
  const session = new pg.Client({ ...postgres.connection, user: superuser })
  await session.connect()
  await session.query(`reassign owned by ${serverRole} to ${superuser}`)
  await session.query(`drop role ${serverRole}`)
  await session.end()
  await postgres.stop()
  await writeFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'local all all trust\n')
}

/** Of everything in the database that is not PostgreSQL's own. */
const owners = `
  with places as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
  select distinct pg_get_userbyid(owner) as owner from (
    select datdba as owner from pg_database where datname = current_database()
    union all select nspowner from pg_namespace join places using (oid) where nspname <> 'public'
    union all select relowner from pg_class where relnamespace in (table places)
    union all select proowner from pg_proc where pronamespace in (table places)
    union all select typowner from pg_type where typnamespace in (table places)
  )`

/** The beginning of what PostgreSQL says to a program of the given user that asks for a role. */
async function answerTo(user: User | undefined, role: string, socketDir: string) {
  const child = spawn(process.execPath, ['-e', asking, join(socketDir, '.s.PGSQL.5432'), role], {
    ...asUser(user),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return text(child.stdout)
}

const asking = `
  const [, socket, role] = process.argv
  const parameters = Buffer.from('....\\0\\x03\\0\\0user\\0' + role + '\\0database\\0atrium\\0\\0')
  parameters.writeInt32BE(parameters.length)
  require('node:net').connect(socket, function () { this.write(parameters) }).once('data', function (answer) {
    process.stdout.write(answer)
    this.destroy()
  })`
