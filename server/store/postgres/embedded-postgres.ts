import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { StartError } from '../../platform/start-error.ts'
import { findBinaries } from './binaries.ts'
import {
  connectionOn,
  connectWhile,
  initCluster,
  prepareDatabase,
  reasonIn,
  stopLeftBehind,
} from './cluster.ts'
import { findCluster, lockFolder, makeCluster, openDataFolder, openLog } from './data-folder.ts'
import { asUser, findUser, type User } from './unprivileged.ts'

type Options = {
  dataDir: string
  log: Logger
  /** Settings for PostgreSQL, which override ours. */
  settings?: Record<string, string>
}

/** No other server can use the folder. PostgreSQL ends with this process, even a killed one. */
export async function startEmbeddedPostgres({ dataDir, log, settings = {} }: Options) {
  try {
    const folder = await openDataFolder(dataDir)
    const lock = lockFolder(folder)
    if (!lock)
      throw new StartError(
        `Another Atrium server is already using DATA_DIR ${folder}. Stop it, or set DATA_DIR to another folder.`,
      )
    const postgres = await startOn(folder, settings).catch((error: unknown) => {
      lock.close()
      throw error
    })
    let stopping = false
    const sayWhyItEnded = async () => {
      await postgres.ended
      if (!stopping)
        log.fatal({ reason: await postgres.reason() }, 'PostgreSQL has ended by itself')
    }
    void sayWhyItEnded()
    return {
      connection: postgres.connection,
      /** Messages for the person who starts the server. */
      notes: postgres.notes,
      /** Settles when PostgreSQL ends, after `stop` or by itself. */
      ended: postgres.ended.then(() => 'PostgreSQL has ended by itself'),
      async stop() {
        stopping = true
        await postgres.stop()
        lock.close()
      },
    }
  } catch (error) {
    throw inPlainWords(error, dataDir)
  }
}

async function startOn(folder: string, settings: Record<string, string>) {
  const notes: string[] = []
  const found = await findCluster(folder)
  const user = await findUser(found)
  const native = await findBinaries(user, notes)
  const cluster =
    found ?? (await makeCluster(folder, user, (fresh) => initCluster(fresh, { native, user })))
  if (user)
    notes.push(
      `Root started PostgreSQL, so it runs as user ${user.uid}, and so may other programs: this is for trials. Start as a user of your own, or set DATABASE_URL.`,
    )
  if (!cluster.startsWith(folder))
    notes.push(`User ${user?.uid} can't enter ${folder}, so the data is in ${cluster}.`)
  await stopLeftBehind(cluster)
  const socketDir = await makeSocketFolder(user)
  const options = Object.entries({
    ...defaults,
    unix_socket_directories: socketDir,
    hba_file: join(socketDir, 'pg_hba.conf'),
    ident_file: join(socketDir, 'pg_ident.conf'),
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const postgres = await spawnPostgres(
    [join(native, 'bin', 'postgres'), '-D', cluster, ...options],
    folder,
    user,
  )
  const stop = async () => {
    await postgres.stop()
    await rm(socketDir, { recursive: true, force: true })
  }
  try {
    const session = await connectWhile(postgres.isRunning, socketDir)
    if (!session)
      throw new StartError(`PostgreSQL could not start in ${cluster}: ${await postgres.reason()}`)
    try {
      await prepareDatabase(session)
    } finally {
      await session.end()
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { ...postgres, stop, notes, connection: connectionOn(socketDir) }
}

/**
 * In /tmp, because a socket's path is at most 103 bytes long. PostgreSQL accepts root and this
 * process's user, and not the `user` that root lends it: other programs may run as that user too.
 */
async function makeSocketFolder(user: User | undefined) {
  const folder = await mkdtemp('/tmp/atrium-')
  const names = [...new Set(['root', userInfo().username])]
  await writeFile(join(folder, 'pg_hba.conf'), 'local all all peer map=atrium\n')
  const map = names.map((name) => `atrium "${name}" all\n`).join('')
  await writeFile(join(folder, 'pg_ident.conf'), map)
  if (user) await chown(folder, user.uid, user.gid)
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

async function spawnPostgres(command: string[], folder: string, user: User | undefined) {
  const log = await openLog(folder)
  const { size: logged } = await log.stat()
  const child = spawn('/bin/sh', ['-c', keeper, 'sh', ...command], {
    ...asUser(user),
    // A terminal's Ctrl-C must not reach PostgreSQL before the server has stopped.
    detached: true,
    stdio: ['pipe', log.fd, log.fd],
  })
  child.stdin!.on('error', () => undefined)
  const ended = once(child, 'exit')
  await log.close()
  return {
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** What PostgreSQL has logged since it was started. */
    reason: async () =>
      reasonIn((await readFile(join(folder, 'postgres.log'))).subarray(logged).toString()),
    async stop() {
      child.stdin!.end()
      await ended
    },
  }
}

function inPlainWords(error: unknown, dataDir: string) {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || /no space left on device/i.test(message))
    return new StartError(`The disk that DATA_DIR ${dataDir} is on is full.`)
  if (error instanceof StartError || !code) return error
  if (['EACCES', 'EPERM', 'EROFS'].includes(code))
    return new StartError(
      `DATA_DIR ${dataDir} can't be written to by this user. Set DATA_DIR to a folder that can.`,
    )
  if (['EEXIST', 'ENOTDIR'].includes(code))
    return new StartError(`DATA_DIR ${dataDir} is not a folder. Set DATA_DIR to one.`)
  return new StartError(`PostgreSQL could not start on DATA_DIR ${dataDir}: ${message}`)
}
