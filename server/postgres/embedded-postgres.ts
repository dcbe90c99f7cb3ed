import { engineLimits } from '#config/limits.ts'
import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartError } from '../platform/start-error.ts'
import { findBinaries } from './binaries.ts'
import { connectionOn, openSession, prepareDatabase, superuser, waitUntilFree } from './cluster.ts'
import { findCluster, makeCluster, openDataFolder } from './data-folder.ts'
import {
  initCluster,
  makeRunFolder,
  socketDirIn,
  startPostmaster,
  type Place,
  type Process,
} from './postmaster.ts'
import { findUser } from './unprivileged.ts'

type Options = {
  dataDir: string
  log: Logger
  /** Settings for PostgreSQL, which override ours. */
  settings?: Record<string, string>
}

/** No other server can use the folder. PostgreSQL ends with this process, even a killed one. */
export async function startEmbeddedPostgres({ dataDir, log, settings = {} }: Options) {
  let runFolder: string | undefined
  const removeRunFolder = async () => {
    if (runFolder) await rm(runFolder, { recursive: true, force: true })
  }
  try {
    const folder = await openDataFolder(dataDir)
    const { notes, ...files } = await findFiles(folder)
    runFolder = await makeRunFolder(files.user)
    const running = await keepRunning({ ...files, folder, runFolder, settings }, log)
    return {
      connection: connectionOn(socketDirIn(runFolder)),
      /** Messages for the person who starts the server. */
      notes,
      /** Resolves with the reason when PostgreSQL has ended for good. */
      ended: running.ended,
      stop: async () => running.stop().then(removeRunFolder),
    }
  } catch (error) {
    await removeRunFolder()
    throw inPlainWords(error, dataDir)
  }
}

/** Finds the programs and the data of PostgreSQL, which it makes if there are none yet. */
async function findFiles(folder: string) {
  const found = await findCluster(folder)
  const user = await findUser(found)
  const native = await findBinaries(user)
  const init = (fresh: string) => initCluster({ folder, native, user }, superuser, fresh)
  const cluster = found ?? (await makeCluster(folder, user, init))
  const notes = user
    ? [
        `Root started PostgreSQL, so it runs as user ${user.uid}, and so may other programs: this is for trials. Start as a user of your own, or set DATABASE_URL.`,
      ]
    : []
  if (!cluster.startsWith(folder))
    notes.push(`User ${user?.uid} can't enter ${folder}, so the data is in ${cluster}.`)
  return { user, native, cluster, notes }
}

/** Starts PostgreSQL, and starts it again whenever it ends by itself. */
async function keepRunning(place: Place, log: Logger) {
  const { pause, giveUpAfter } = engineLimits.postgresRestart
  let isStopping = false
  let newest: Process | undefined

  async function start(): Promise<Process> {
    const postgres = (newest = await startPostmaster(place))
    if (isStopping) await postgres.stop()
    if (await isReady(postgres, place)) return postgres
    const reason = await postgres.reason()
    if (!isTaken.test(reason)) throw couldNotStart(place, reason)
    await waitUntilFree(place)
    return start()
  }

  async function watch(postgres: Process) {
    for (;;) {
      await postgres.ended
      if (isStopping) return
      const reason = await postgres.reason()
      log.error({ reason }, 'PostgreSQL has ended by itself, and is started again')
      postgres = await startAgain()
      log.info('PostgreSQL runs again')
    }
  }

  async function startAgain() {
    const giveUpAt = performance.now() + giveUpAfter
    for (;;) {
      await delay(pause)
      try {
        return await start()
      } catch (error) {
        if (isStopping || performance.now() > giveUpAt) throw inPlainWords(error, place.folder)
      }
    }
  }

  const ended = watch(await start()).then(
    () => 'PostgreSQL was stopped',
    (error: Error) => `PostgreSQL has ended by itself and does not start again. ${error.message}`,
  )
  return {
    ended,
    async stop() {
      isStopping = true
      await newest?.stop()
      await ended
    },
  }
}

/** What PostgreSQL says if its note tells of another one on the data. */
const isTaken = /lock file "postmaster.pid" (already exists|is empty)|bogus data in lock file/

/** Waits until PostgreSQL accepts sessions, and makes the database. False if it ends before. */
async function isReady(postgres: Process, { runFolder }: Place) {
  while (postgres.isRunning()) {
    const { session } = await openSession(socketDirIn(runFolder))
    if (session) {
      await prepareDatabase(session).catch(async (error: unknown) => {
        await postgres.stop()
        throw error
      })
      await session.end()
      return true
    }
    // PostgreSQL gives no other sign that it is ready.
    await delay(10)
  }
  return false
}

function couldNotStart({ cluster }: Place, reason: string) {
  const other = /initialized by PostgreSQL version (\d+)/.exec(reason)?.[1]
  return new StartError(
    other === undefined
      ? `PostgreSQL could not start in ${cluster}: ${reason}`
      : `The data in ${cluster} is of PostgreSQL ${other}, which this version does not bring. Back it up with the version that made it, and restore that with this one into another DATA_DIR; docs/operations.md has more under "Backup".`,
  )
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
