import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../platform/start-error.ts'
import { openLog } from './data-folder.ts'
import { asUser, type User } from './unprivileged.ts'

/** `folder` has the log, `runFolder` the rules and the socket. */
export type Place = {
  folder: string
  cluster: string
  runFolder: string
  native: string
  user: User | undefined
  settings: Record<string, string>
}
export type Process = Awaited<ReturnType<typeof run>>

export const socketDirIn = (runFolder: string) => join(runFolder, 'socket')

/**
 * Makes a folder in /tmp, because a socket's path is at most 103 bytes long. Its rules let root and
 * this process's user connect, and not the `user` that root lends PostgreSQL, because other programs
 * may run as that user too.
 */
export async function makeRunFolder(user: User | undefined) {
  const folder = await mkdtemp('/tmp/postgres-')
  await chmod(folder, 0o711)
  const names = [...new Set(['root', userInfo().username])]
  await writeFile(join(folder, 'pg_hba.conf'), 'local all all peer map=ours\n')
  const map = names.map((name) => `ours "${name}" all\n`).join('')
  await writeFile(join(folder, 'pg_ident.conf'), map)
  await mkdir(socketDirIn(folder), { mode: 0o700 })
  if (user) await chown(socketDirIn(folder), user.uid, user.gid)
  return folder
}

export async function initCluster(
  { folder, native, user }: Pick<Place, 'folder' | 'native' | 'user'>,
  superuser: string,
  fresh: string,
) {
  const access = ['-U', superuser, '--auth=reject', '--no-instructions', '--encoding=UTF8']
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const initdb = await run([join(native, 'bin', 'initdb'), '-D', fresh, ...access, ...locale], {
    folder,
    user,
  })
  if ((await initdb.ended) !== 0)
    throw new StartError(
      `PostgreSQL could not make its files in ${fresh}: ${await initdb.reason()}`,
    )
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

export async function startPostmaster(place: Place) {
  const { cluster, runFolder, native, settings } = place
  const socketDir = socketDirIn(runFolder)
  // A killed PostgreSQL leaves it, and another process may have the id in it by now.
  await rm(join(socketDir, '.s.PGSQL.5432.lock'), { force: true })
  const options = Object.entries({
    ...defaults,
    unix_socket_directories: socketDir,
    hba_file: join(runFolder, 'pg_hba.conf'),
    ident_file: join(runFolder, 'pg_ident.conf'),
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return run([join(native, 'bin', 'postgres'), '-D', cluster, ...options], place)
}

/** Stops PostgreSQL when the pipe from this process closes. Sessions get a second to end. */
const keeper = `exec 3<&0
"$@" </dev/null 3<&- & postgres=$!
{ read -r nothing; kill -TERM $postgres; sleep 1; kill -INT $postgres; } <&3 & reader=$!
exec 3<&-
wait $postgres; code=$?
kill $reader 2>/dev/null
exit $code`

/** Runs a program of PostgreSQL that writes into its log. */
async function run(command: string[], { folder, user }: Pick<Place, 'folder' | 'user'>) {
  await using log = await openLog(folder)
  const { size: logged } = await log.stat()
  const child = spawn('/bin/sh', ['-c', keeper, 'sh', ...command], {
    ...asUser(user),
    // A terminal's Ctrl-C must not reach PostgreSQL before the server has stopped.
    detached: true,
    stdio: ['pipe', log.fd, log.fd],
  })
  child.stdin!.on('error', () => undefined)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  // Throws if there can't be a process.
  await once(child, 'spawn')
  return {
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.stdin!.end()
      await ended
    },
    /** The lines of the log that tell why it ended. */
    async reason() {
      const file = await readFile(join(folder, 'postgres.log'))
      const text = file
        .subarray(logged)
        .toString()
        .replaceAll(/^[-\d]+ [\d:.]+ \w+ \[\d+\] /gm, '')
      const lines = text.split('\n').filter((line) => line && !isRefusal.test(line))
      const bad = lines.filter((line) => /fatal|panic|error|detail|hint|killed/i.test(line))
      const said = new Set(bad.length > 0 ? bad : lines)
      return [...said].slice(-3).join(' ') || 'it gave no reason.'
    },
  }
}

/** What PostgreSQL logs about sessions that it refuses while it starts or ends. */
const isRefusal = /FATAL: +the database system is |Consistent recovery state/
