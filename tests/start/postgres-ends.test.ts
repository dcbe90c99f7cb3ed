import { spawnSync } from 'node:child_process'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { reasonOf } from '../person.ts'
import { openTab } from '../tab.ts'
import {
  aFolder,
  ann,
  aPoolOn,
  aStarted,
  postgresOn,
  signUp,
  timed,
  untilGone,
  type Server,
} from './a-server.ts'

const password = 'correct horse'
const endedByItself = 'PostgreSQL has ended by itself'
const runsAgain = 'PostgreSQL runs again'

test('a server starts its PostgreSQL again each time it is killed, and loses nothing that it acknowledged', async () => {
  const { server, dataDir } = await aServerWithLog()
  const kills = 4
  const acknowledged: string[] = []
  const refused = new Set<string | undefined>()
  const isDone = new AbortController()

  async function signUpAlways(name: number) {
    for (let count = 0; !isDone.signal.aborted; count++) {
      const email = `person-${name}-${count}@example.com`
      const answer = await server.call('signUp', { fullName: 'A Person', email, password })
      if (answer.result) acknowledged.push(email)
      else refused.add(reasonOf(answer))
      await delay(20)
    }
  }
  const calls = Promise.all([1, 2, 3].map(signUpAlways))

  for (let kill = 1; kill <= kills; kill++) {
    process.kill(await postgresOn(dataDir), 'SIGKILL')
    await until(() => linesWith(runsAgain, server) === kill, server)
    const before = acknowledged.length
    await until(() => acknowledged.length > before + 5, server)
  }
  isDone.abort()
  await calls

  expect([...refused]).toEqual(['unavailable'])
  expect(linesWith(endedByItself, server)).toBe(kills)
  expect(server.log()).toContain('due to unexpected postmaster exit')
  const pool = await aPoolOn(dataDir)
  const { rows } = await pool.query<{ email: string }>('select email from users')
  await pool.end()
  expect(rows.map(({ email }) => email)).toEqual(expect.arrayContaining(acknowledged))
})

test('live updates and jobs go on when PostgreSQL runs again', async () => {
  const { server, dataDir } = await aServerWithLog()
  const token = await signUp(server)
  const tab = await openTab({ request: (path, init) => fetch(server.url + path, init) }, token)
  while ((await tab.next()).event !== 'ready');
  process.kill(await postgresOn(dataDir), 'SIGKILL')
  await until(() => linesWith('live updates go on', server) === 1, server)

  await server.call('updateProfile', { displayName: 'Ann B.' }, { token })
  while (!(await tab.change()).what.includes('user'));
  await server.call('sendPasswordResetEmail', { email: ann.email })
  await until(async () => (await mailsTo(ann.email, server)).length === 2, server)
})

test('a PostgreSQL that leaves damaged lock files starts again', async () => {
  const { server, dataDir } = await aServerWithLog()
  const postgres = await postgresOn(dataDir)
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  const socketDir = (await readFile(pidFile, 'utf8')).split('\n')[4]!
  await writeFile(pidFile, 'garbage')
  await writeFile(join(socketDir, '.s.PGSQL.5432.lock'), '')
  process.kill(postgres, 'SIGKILL')
  await untilRunsAgain(server)
  await signUp(server)
})

test('PostgreSQL starts again once the last process of the one that ended is gone', async () => {
  const { server, dataDir } = await aServerWithLog()
  const pool = await aPoolOn(dataDir)
  const session = await pool.connect()
  session.on('error', () => undefined)
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() pid')
  const { pid } = rows[0]!
  const endSession = () => isRunning(pid) && process.kill(pid, 'SIGKILL')
  onTestFinished(() => void endSession())
  const forever = session.query('do $$ begin loop end loop; end $$').catch(() => undefined)

  process.kill(await postgresOn(dataDir), 'SIGKILL')
  const log = () => readFile(join(dataDir, 'postgres.log'), 'utf8')
  await until(async () => (await log()).includes('pre-existing shared memory block'), server)
  endSession()
  await untilRunsAgain(server)
  await signUp(server)
  await forever
  session.release(true)
  await pool.end()
})

test('a server whose PostgreSQL can’t start again ends with the reason', async () => {
  const { server, dataDir } = await aServerWithLog()
  await damage(dataDir)
  process.kill(await postgresOn(dataDir), 'SIGKILL')
  const { code, stdout, stderr } = await server.ended
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  const fatal = stdout.split('\n').filter((line) => line.includes('"level":60'))
  expect(fatal).toEqual([expect.stringMatching(/does not start again\. .*pg_control/)])
  expect(processesOn(dataDir)).toEqual([])
})

test('a server whose PostgreSQL can start again after several tries goes on', async () => {
  const { server, dataDir } = await aServerWithLog()
  const repair = await damage(dataDir)
  process.kill(await postgresOn(dataDir), 'SIGKILL')
  const log = () => readFile(join(dataDir, 'postgres.log'), 'utf8')
  await until(async () => (await log()).split('could not open file').length > 3, server)
  expect(await server.call('signUp', { fullName: 'Ann', ...ann })).toMatchObject({ status: 503 })
  await repair()
  await untilRunsAgain(server)
  await signUp(server)
})

test.each([
  ['while PostgreSQL starts again', false],
  ['while PostgreSQL can’t start again', true],
])('a server that is asked to stop %s leaves nothing running', async (_, isDamaged) => {
  const { server, dataDir } = await aServerWithLog()
  if (isDamaged) await damage(dataDir)
  const postgres = await postgresOn(dataDir)
  process.kill(postgres, 'SIGKILL')
  await until(() => linesWith(endedByItself, server) === 1, server)
  const took = await timed(async () => {
    server.child.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
  })
  expect(took).toBeLessThan(5000)
  expect(linesWith('"level":60', server)).toBe(0)
  expect(processesOn(dataDir)).toEqual([])
})

test('a server does not start PostgreSQL again if both are asked to stop, as systemd does', async () => {
  const { server, dataDir } = await aServerWithLog()
  const postgres = await postgresOn(dataDir)
  server.child.kill('SIGTERM')
  process.kill(postgres, 'SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
  await untilGone(postgres)
  expect(server.log()).not.toContain(endedByItself)
})

async function aServerWithLog() {
  const dataDir = await aFolder()
  return { server: await aStarted({ env: { DATA_DIR: dataDir, LOG_LEVEL: 'info' } }), dataDir }
}

/** Waits for a condition. Fails if the server ends before. */
async function until(isSo: () => boolean | Promise<boolean>, { child, log }: Server) {
  while (!(await isSo())) {
    if (child.exitCode !== null) throw new Error(`The server has ended:\n${log()}`)
    await delay(20)
  }
}

function linesWith(words: string, { log }: Server) {
  return log()
    .split('\n')
    .filter((line) => line.includes(words)).length
}

async function mailsTo(address: string, { url }: Server) {
  const answer = await fetch(`${url}/dev/mail.json?to=${encodeURIComponent(address)}`)
  return answer.ok ? ((await answer.json()) as object[]) : []
}

/** Takes away a file that PostgreSQL needs when it starts. Returns what brings it back. */
async function damage(dataDir: string) {
  const file = join(dataDir, 'postgres', 'global', 'pg_control')
  await rename(file, `${file}.away`)
  return () => rename(`${file}.away`, file)
}

function processesOn(dataDir: string) {
  const { stdout } = spawnSync('ps', ['-axo', 'args='], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(`-D ${dataDir}/`))
}

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The server refuses calls until it has seen for itself that its PostgreSQL runs again. */
async function untilRunsAgain(server: Server) {
  await until(() => linesWith(runsAgain, server) === 1, server)
  await server.up()
}
