import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openLog } from './data-folder.ts'
import { isAlive } from './is-alive.ts'
import { asUser, type User } from './unprivileged.ts'

export type Running = { pid: number; socketDir: string }

/** The PostgreSQL that runs on a cluster, whoever started it. */
export async function findRunning(cluster: string): Promise<Running | undefined> {
  const file = join(cluster, 'postmaster.pid')
  const [pid, , , , socketDir] = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  if (!Number(pid)) return undefined
  if (isAlive(Number(pid)) && (await worksIn(Number(pid), cluster)))
    return { pid: Number(pid), socketDir: socketDir ?? '' }
  // After a crash another process may bear the number by now, and PostgreSQL would take it for its own kind.
  await rm(file, { force: true })
  return undefined
}

/** PostgreSQL's working directory is its cluster. Where the system doesn't tell, the number has to do. */
async function worksIn(pid: number, cluster: string) {
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return directory === undefined || directory === cluster
}

/** The name that a PostgreSQL bears: which process started it, and a mark that no other one has. */
export const ownName = `atrium:${process.pid}:${randomBytes(4).toString('hex')}`

type Start = {
  native: string
  cluster: string
  folder: string
  socketDir: string
  settings: Record<string, string>
  user: User | undefined
}

/** In a session of its own, where a terminal's Ctrl-C doesn't reach it: the server has to stop first. */
export async function startPostmaster({
  native,
  cluster,
  folder,
  socketDir,
  settings,
  user,
}: Start) {
  const log = await openLog(folder)
  if (user) await log.chown(user.uid, user.gid)
  const { size: logged } = await log.stat()
  const watchdog = startWatchdog()
  const options = Object.entries({
    ...defaults,
    cluster_name: ownName,
    unix_socket_directories: socketDir,
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(native, 'bin', 'postgres'), ['-D', cluster, ...options], {
    ...asUser(user),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  const ended = once(child, 'exit')
    .then(undefined, () => undefined)
    .finally(() => watchdog.kill('SIGKILL'))
  watchdog.stdin.write(`${child.pid}\n`)
  await log.close()
  return {
    ended,
    isRunning: () =>
      child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    stop: () => stopChild(child, ended),
    log: async () => (await readFile(join(folder, 'postgres.log'))).subarray(logged).toString(),
  }
}

const defaults = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '50',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // A refused statement is the server's to log. Here it would bring addresses and tokens into a file.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

/** Stops PostgreSQL when this process ends without doing so: the pipe between the two closes however it ends. */
function startWatchdog() {
  const script = `trap '' INT TERM HUP; read -r pid && { read -r nothing; kill -INT "$pid"; }`
  const watchdog = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.stdin.on('error', () => undefined)
  return watchdog
}

/** Each signal with how long it has. Sessions that are ending may finish; then those left are ended; the last way loses nothing either, the next start replays the log. */
const waysToStop = [
  ['SIGTERM', 500],
  ['SIGINT', 3000],
  ['SIGQUIT', 0],
] as const

async function stopChild(child: ChildProcess, ended: Promise<unknown>) {
  for (const [signal, patience] of waysToStop) {
    child.kill(signal)
    const inTime = await Promise.race([
      ended.then(() => true),
      delay(patience, false, { ref: false }),
    ])
    if (inTime) return
  }
  await ended
}

/** Stops a PostgreSQL whose server is gone. */
export async function stopRunning({ pid }: Running) {
  process.kill(pid, 'SIGINT')
  // Somebody else's child: nothing tells when it has ended.
  while (isAlive(pid)) await delay(10)
}
