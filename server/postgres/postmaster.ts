import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../platform/start-error.ts'
import { connectWhile, prepareDatabase, reasonIn, stopLeftBehind } from './cluster.ts'
import { openLog } from './data-folder.ts'
import { asUser, type User } from './unprivileged.ts'

type Place = {
  folder: string
  cluster: string
  socketDir: string
  native: string
  user: User | undefined
  settings: Record<string, string>
}

export type Postmaster = Awaited<ReturnType<typeof spawnPostmaster>>

/** Starts PostgreSQL and waits until it accepts sessions. It ends once `stopped` is aborted. */
export async function startPostmaster(place: Place, stopped: AbortSignal) {
  const { cluster, socketDir, user } = place
  await stopLeftBehind(cluster, user, stopped)
  // A killed PostgreSQL leaves it, and another process may have the id in it by now.
  await rm(join(socketDir, '.s.PGSQL.5432.lock'), { force: true })
  const rules = await writeRules()
  try {
    const postmaster = await spawnPostmaster(place, rules, stopped)
    await untilReady(postmaster, place).catch(async (error: unknown) => {
      await postmaster.stop()
      throw error
    })
    return postmaster
  } finally {
    // PostgreSQL reads them only when it starts.
    await rm(rules, { recursive: true, force: true })
  }
}

async function untilReady(
  postmaster: Postmaster,
  { cluster, socketDir }: Pick<Place, 'cluster' | 'socketDir'>,
) {
  const session = await connectWhile(postmaster.isRunning, socketDir)
  if (!session) throw couldNotStart(cluster, await postmaster.reason())
  try {
    await prepareDatabase(session)
  } finally {
    await session.end()
  }
}

function couldNotStart(cluster: string, reason: string) {
  const other = /initialized by PostgreSQL version (\d+)/.exec(reason)?.[1]
  return new StartError(
    other === undefined
      ? `PostgreSQL could not start in ${cluster}: ${reason}`
      : `The data in ${cluster} is of PostgreSQL ${other}, which this version does not bring. Back it up with the version that made it, and restore that with this one into another DATA_DIR; docs/operations.md has more under "Backup".`,
  )
}

/**
 * Returns a folder with the rules for who may connect: root and this process's user, and not the
 * `user` that root lends PostgreSQL, because other programs may run as that user too.
 */
async function writeRules() {
  const folder = await mkdtemp('/tmp/atrium-rules-')
  const names = [...new Set(['root', userInfo().username])]
  await writeFile(join(folder, 'pg_hba.conf'), 'local all all peer map=atrium\n')
  const map = names.map((name) => `atrium "${name}" all\n`).join('')
  await writeFile(join(folder, 'pg_ident.conf'), map)
  await chmod(folder, 0o711)
  return folder
}

const defaults = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '50',
  shared_buffers: '256MB',
  max_wal_size: '512MB',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // The server logs refused statements itself. PostgreSQL would log their addresses and tokens.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

/** Stops PostgreSQL when the pipe from this process closes. Sessions get a second to end. */
const keeper = `exec 3<&0
"$@" </dev/null 3<&- & postgres=$!
{ read -r nothing; kill -TERM $postgres; sleep 1; kill -INT $postgres; } <&3 & reader=$!
exec 3<&-
wait $postgres
kill $reader 2>/dev/null`

async function spawnPostmaster(
  { folder, cluster, socketDir, native, user, settings }: Place,
  rules: string,
  stopped: AbortSignal,
) {
  const options = Object.entries({
    ...defaults,
    unix_socket_directories: socketDir,
    hba_file: join(rules, 'pg_hba.conf'),
    ident_file: join(rules, 'pg_ident.conf'),
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [join(native, 'bin', 'postgres'), '-D', cluster, ...options]
  const log = await openLog(folder)
  try {
    const { size: logged } = await log.stat()
    const child = spawn('/bin/sh', ['-c', keeper, 'sh', ...command], {
      ...asUser(user),
      // A terminal's Ctrl-C must not reach PostgreSQL before the server has stopped.
      detached: true,
      stdio: ['pipe', log.fd, log.fd],
    })
    // Throws if there can't be a process.
    await once(child, 'spawn')
    return {
      ...follow(child, stopped),
      /** What PostgreSQL has logged since it was started. */
      async reason() {
        const file = await readFile(join(folder, 'postgres.log')).catch(() => Buffer.alloc(0))
        return reasonIn(file.subarray(logged).toString())
      },
    }
  } finally {
    await log.close()
  }
}

/** The caller waits for nothing between the child's `spawn` and this: the child may end at once. */
function follow(child: ChildProcess, stopped: AbortSignal) {
  const stdin = child.stdin!
  stdin.on('error', () => undefined)
  const askToEnd = () => stdin.end()
  const ended = once(child, 'exit').then(() => stopped.removeEventListener('abort', askToEnd))
  stopped.addEventListener('abort', askToEnd)
  if (stopped.aborted) askToEnd()
  return {
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      askToEnd()
      await ended
    },
  }
}
