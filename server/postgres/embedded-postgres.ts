import { chown, mkdtemp, rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import { keepPostgresRunning } from './keep-postgres-running.ts'
import { StartError } from '../platform/start-error.ts'
import { findBinaries } from './binaries.ts'
import { connectionOn, initCluster } from './cluster.ts'
import { findCluster, lockFolder, makeCluster, openDataFolder } from './data-folder.ts'
import { startPostmaster } from './postmaster.ts'
import { findUser, type User } from './unprivileged.ts'

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
    try {
      const postgres = await startOn(folder, { dataDir, log, settings })
      const stop = () => postgres.stop().then(() => lock.close())
      return { ...postgres, stop }
    } catch (error) {
      lock.close()
      throw error
    }
  } catch (error) {
    throw inPlainWords(error, dataDir)
  }
}

async function startOn(folder: string, { dataDir, log, settings }: Required<Options>) {
  const { notes, ...files } = await findFiles(folder)
  const socketDir = await makeSocketFolder(files.user)
  const removeSocketFolder = () => rm(socketDir, { recursive: true, force: true })
  const place = { ...files, folder, socketDir, settings }
  const start = (stopped: AbortSignal) =>
    startPostmaster(place, stopped).catch((error: unknown) => {
      throw inPlainWords(error, dataDir)
    })
  try {
    const postgres = await keepPostgresRunning({ log, start })
    return {
      connection: connectionOn(socketDir),
      /** Messages for the person who starts the server. */
      notes,
      /** Resolves with the reason when PostgreSQL has ended for good. */
      ended: postgres.ended,
      stop: () => postgres.stop().then(removeSocketFolder),
    }
  } catch (error) {
    await removeSocketFolder()
    throw error
  }
}

/** Finds the programs and the data of PostgreSQL, which it makes if there are none yet. */
async function findFiles(folder: string) {
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
  return { user, native, cluster, notes }
}

/** In /tmp, because a socket's path is at most 103 bytes long. */
async function makeSocketFolder(user: User | undefined) {
  const folder = await mkdtemp('/tmp/atrium-')
  if (user) await chown(folder, user.uid, user.gid)
  return folder
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
