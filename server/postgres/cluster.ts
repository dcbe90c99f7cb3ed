import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../platform/start-error.ts'
import { asUser, canRun, type User } from './unprivileged.ts'

/** Owns the cluster. The server has another role: superusers can run programs and read files. */
export const superuser = 'atrium'

/** Owns the database and everything in it, and has no other right. The server uses it. */
export const serverRole = 'atrium_server'

export function connectionOn(socketDir: string) {
  return { host: socketDir, port: 5432, user: serverRole, database: 'atrium', ssl: false as const }
}

export async function initCluster(
  folder: string,
  { native, user }: { native: string; user: User | undefined },
) {
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = ['-D', folder, '-U', superuser, '--auth=reject', '--no-instructions']
  const initdb = spawn(join(native, 'bin', 'initdb'), [...args, '--encoding=UTF8', ...locale], {
    ...asUser(user),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [[code], complaints] = await Promise.all([once(initdb, 'close'), text(initdb.stderr)])
  if (code !== 0)
    throw new StartError(
      `PostgreSQL could not make its files in ${folder}: ${reasonIn(complaints)}`,
    )
}

export async function prepareDatabase(session: pg.Client) {
  const { rows } = await session.query<{ role: boolean; database: boolean }>(
    `select exists (select from pg_roles where rolname = '${serverRole}') as role,
      exists (select from pg_database where datname = 'atrium') as database`,
  )
  if (!rows[0]!.role) await session.query(`create role ${serverRole} login`)
  if (!rows[0]!.database) await session.query('create database atrium')
  await session.query(`alter database atrium owner to ${serverRole}`)
}

/** A superuser's session once PostgreSQL accepts one; undefined if PostgreSQL ends before. */
export async function connectWhile(isRunning: () => boolean, socketDir: string) {
  while (isRunning()) {
    const session = new pg.Client({
      ...connectionOn(socketDir),
      user: superuser,
      database: 'postgres',
      connectionTimeoutMillis: 5000,
    })
    session.on('error', () => undefined)
    const connected = await session.connect().then(
      () => true,
      () => false,
    )
    if (connected) return session
    // PostgreSQL gives no other sign that it is ready.
    await delay(10)
  }
  return undefined
}

/** No system gives a process a longer number. */
const isProcessId = /^[1-9]\d{0,6}$/

/** Reads PostgreSQL's note about its process, which no longer exists after a power cut. */
export async function findRunning(cluster: string) {
  const file = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid = '', , , , socketDir = ''] = file.split('\n')
  return isProcessId.test(pid) ? { pid: Number(pid), socketDir } : undefined
}

/**
 * Stops a PostgreSQL that a dead server left running. The caller has locked the data folder. The
 * note about the process belongs to `user`, who can write what they like into it: so the signal is
 * theirs too, and the system refuses to send it to anybody else's process.
 */
export async function stopLeftBehind(
  cluster: string,
  user: User | undefined,
  stopped: AbortSignal,
) {
  const file = join(cluster, 'postmaster.pid')
  for (let waited = 0; ; waited += 20) {
    const running = await findRunning(cluster)
    // PostgreSQL doesn't start while there is an empty or damaged file, which a power cut may leave.
    if (!running) return rm(file, { force: true })
    if (!isAlive(running.pid)) return
    const isAsked = (await isListening(running.socketDir)) && (await askToEnd(running.pid, user))
    // Another process has this id by now. PostgreSQL would take it for another PostgreSQL.
    if (!isAsked && waited > 2000) return rm(file)
    if (waited > 30_000)
      throw new StartError(
        `A PostgreSQL (process ${running.pid}) runs on ${cluster} and does not end. Stop it and try again.`,
      )
    await delay(20, undefined, { signal: stopped })
  }
}

function askToEnd(pid: number, user: User | undefined) {
  return canRun('/bin/sh', ['-c', 'kill -INT "$1"', 'sh', String(pid)], user)
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export async function isListening(socketDir: string) {
  const socket = connect(join(socketDir, '.s.PGSQL.5432'))
  const listens = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return listens
}

/** What PostgreSQL logs about sessions that it refuses while it starts or ends. */
const refused = /FATAL: +the database system is |Consistent recovery state/

/** The lines of a log that tell why something failed, joined into one line. */
export function reasonIn(log: string) {
  const lines = log
    .split('\n')
    .map((line) => line.replace(/^[-\d]+ [\d:.]+ \w+ \[\d+\] /, '').trim())
    .filter((line) => line && !refused.test(line))
  const bad = lines.filter((line) => /fatal|panic|error|detail|hint|killed/i.test(line))
  const said = new Set(bad.length > 0 ? bad : lines)
  return [...said].slice(-3).join(' ') || 'it gave no reason.'
}
