import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { joinPostgres } from '../../server/postgres/open-postgres.ts'
import { aFreePort } from '../../tools/free-port.ts'
import { callsTo } from '../person.ts'

export const root = join(import.meta.dirname, '..', '..')

type Options = { env?: Record<string, string>; args?: string[]; cwd?: string }
export type Server = Awaited<ReturnType<typeof aServer>>

/** Starts a server as a process in a group of its own, as a terminal does. */
export async function aServer({
  env = {},
  args = ['.cache/test-server/main.js'],
  cwd = root,
}: Options) {
  const port = env['PORT'] ?? String(await aFreePort())
  const { PATH = '', HOME = '/', TMPDIR = tmpdir() } = process.env
  const child = spawn(process.execPath, args, {
    cwd,
    detached: true,
    env: {
      PATH,
      HOME,
      TMPDIR,
      PORT: port,
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: '--conditions=tests-config',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }))
  onTestFinished(() => endGroup(child, ended))

  const url = `http://127.0.0.1:${port}`
  const call = callsTo((path, init) => fetch(url + path, init))

  /** Waits, and returns true once the server is up or false if it ends first. */
  async function isUp() {
    while (child.exitCode === null && child.signalCode === null) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined)
      if (answer?.status === 200) return true
      await delay(20)
    }
    return false
  }

  return {
    child,
    pid: child.pid!,
    url,
    ended,
    call,
    log: () => said.stdout + said.stderr,
    /** Does what a terminal does on Ctrl-C. */
    pressCtrlC: () => process.kill(-child.pid!, 'SIGINT'),
    isUp,
    up: async () => {
      if (!(await isUp()))
        throw new Error(
          `It ended instead of coming up: ${(await ended).stdout} ${(await ended).stderr}`,
        )
    },
  }
}

/** Starts a server and waits until it is up. */
export async function aStarted(options: Options) {
  const server = await aServer(options)
  await server.up()
  return server
}

/** Waits for a program that can't start, and returns the one line in which it says why. */
export async function whyNot({ ended }: Pick<Server, 'ended'>) {
  const { code, stdout, stderr } = await ended
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^.+\n$/),
  })
  // The server writes JSON, a command text.
  return stderr.startsWith('{') ? `${JSON.parse(stderr).msg}\n` : stderr
}

async function endGroup(child: ChildProcess, ended: Promise<unknown>) {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  await ended
}

/** Makes a folder for one test. Other users may enter it: PostgreSQL never runs as root. */
export async function aFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'app-start-'))
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a PostgreSQL of its own and returns its address, with a role that is no superuser. */
export async function aPostgres() {
  const log = pino({ level: 'silent' })
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: await aFolder(), log })
  onTestFinished(stop)
  const { user, port, database, host } = connection
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host!)}`
}

/** The process id of the PostgreSQL that uses a data folder. */
export async function postgresOn(dataDir: string) {
  const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}

/** Waits for the end of a process that is not our child. */
export async function untilGone(pid: number) {
  while (isAlive(pid)) await delay(20)
}

/** A zombie is not alive: its parent only keeps the entry of a process that has ended. */
function isAlive(pid: number) {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout !== '' && !stdout.startsWith('Z')
}

/** Opens a pool on the PostgreSQL of a running server. */
export async function aPoolOn(dataDir: string) {
  const log = pino({ level: 'silent' })
  const { connection } = await joinPostgres({ databaseUrl: undefined, dataDir }, log)
  const pool = new pg.Pool(connection)
  pool.on('error', () => undefined)
  return pool
}

/** Moves the sandbox's clock and waits until it has sent the webhooks that fell due. */
export function advance(url: string, advanceSeconds: number) {
  return postJson(`${url}/sandbox/clock`, { advanceSeconds })
}

export function postJson(url: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

export async function timed(act: () => Promise<unknown>) {
  const started = performance.now()
  await act()
  return performance.now() - started
}

export const ann = { email: 'ann@example.com', password: 'correct horse' }

/** Signs Ann up and returns her token. */
export async function signUp({ call }: Pick<Server, 'call'>) {
  return (await call('signUp', { fullName: 'Ann', ...ann })).result!.token
}
