import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries } from '../../server/postgres/binaries.ts'
import {
  databaseName,
  prepareDatabase,
  serverRole,
  superuser,
} from '../../server/postgres/cluster.ts'
import { asUser } from '../../server/postgres/unprivileged.ts'
import { aFreePort } from '../free-port.ts'
import { runNow, type Stage } from './stage.ts'

/** Of the superuser and of the servers' role. */
export const password = randomBytes(16).toString('hex')

export type Postgres = Awaited<ReturnType<typeof openPostgres>>

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '150',
  shared_buffers: '64MB',
  max_wal_size: '128MB',
  wal_keep_size: '64MB',
  log_line_prefix: '%m [%p] ',
}

/** Makes an empty cluster in a folder. */
export async function initCluster(stage: Stage, folder: string) {
  const secret = join(stage.makeFolder(`secret-${randomBytes(4).toString('hex')}`), 'password')
  writeFileSync(secret, password, { mode: 0o600 })
  if (stage.user) chownSync(secret, stage.user.uid, stage.user.gid)
  const access = ['-U', superuser, '--auth=scram-sha-256', `--pwfile=${secret}`]
  const locale = ['--encoding=UTF8', '--locale=C']
  const args = ['-D', folder, ...access, ...locale, '--no-instructions']
  runNow(await programOf(stage, 'initdb'), args, asUser(stage.user))
}

/** A PostgreSQL on a cluster and a port of its own. It is not started yet. */
export async function openPostgres(stage: Stage, name: string, folder: string) {
  const port = await aFreePort()
  const program = await programOf(stage, 'postgres')
  let child: ReturnType<Stage['start']> | undefined
  stage.atEnd(() => signalAll('SIGKILL'))

  /** Starts it and returns at once. `more` overrides the settings. */
  function begin(more: Record<string, string> = {}) {
    const options = Object.entries({ ...settings, port: String(port), ...more })
    const args = options.flatMap(([key, value]) => ['-c', `${key}=${value}`])
    child = stage.start(name, program, ['-D', folder, ...args])
  }

  function isRunning() {
    return child !== undefined && child.exitCode === null && child.signalCode === null
  }

  /** Starts it until it accepts connections: the processes of one that was killed may linger. */
  async function start(more: Record<string, string> = {}) {
    while (!(await accepts(port))) {
      if (!isRunning()) begin(more)
      await delay(20)
    }
  }

  /** To the server process and all of its children, which have no process group in common. */
  function signalAll(signal: NodeJS.Signals) {
    if (!isRunning()) return
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(child!.pid)])
    // The parent is first, so that it starts no children meanwhile.
    for (const pid of [child!.pid!, ...stdout.toString().trim().split(/\s+/).map(Number)])
      if (pid) killOne(pid, signal)
  }

  return {
    port,
    folder,
    begin,
    start,
    isRunning,
    signalAll,
    /** Kills the parent alone. Its children notice that and end. */
    async killPostmaster() {
      child!.kill('SIGKILL')
      await once(child!, 'exit')
    },
  }
}

/** Makes the servers' database and their role. */
export async function makeDatabase({ port }: Postgres) {
  await onSession(port, async (session) => {
    await prepareDatabase(session)
    await session.query(`alter role ${serverRole} password '${password}'`)
  })
}

/** Works in a session of the superuser's. */
export async function onSession(port: number, work: (session: pg.Client) => Promise<unknown>) {
  const session = new pg.Client(superuserOn(port))
  session.on('error', () => undefined)
  await session.connect()
  await work(session)
  await session.end()
}

/** Asks the database that `portNow` leads to. A question that fails throws within five seconds. */
export function openLook(portNow: () => number) {
  const pools = new Map<number, pg.Pool>()
  return async function look<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) {
    const port = portNow()
    const pool = pools.get(port) ?? newPool(port)
    pools.set(port, pool)
    return (await pool.query<Row>(sql, values)).rows
  }
}

export type Look = ReturnType<typeof openLook>

function newPool(port: number) {
  const patience = { connectionTimeoutMillis: 1000, query_timeout: 4000 }
  const pool = new pg.Pool({ ...superuserOn(port), database: databaseName, max: 3, ...patience })
  pool.on('error', () => undefined)
  return pool
}

export function superuserOn(port: number) {
  return { host: '127.0.0.1', port, user: superuser, password, database: 'postgres' }
}

export function urlOn(port: number) {
  return `postgres://${serverRole}:${password}@127.0.0.1:${port}/${databaseName}`
}

async function accepts(port: number) {
  const session = new pg.Client({ ...superuserOn(port), connectionTimeoutMillis: 1000 })
  session.on('error', () => undefined)
  const accepted = await session.connect().then(
    () => true,
    () => false,
  )
  await session.end().catch(() => undefined)
  return accepted
}

function killOne(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

async function programOf(stage: Stage, name: 'initdb' | 'postgres') {
  return join(await findBinaries(stage.user), 'bin', name)
}
