import { rm } from 'node:fs/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../platform/start-error.ts'
import { findBinaries } from './embedded/binaries.ts'
import { openCluster } from './embedded/cluster.ts'
import { findCluster, openDataFolder, socketFolder } from './embedded/data-folder.ts'
import { clearTheWay, connectionOn, connectWhile, drop, takeHold } from './embedded/hold.ts'
import { startPostmaster } from './embedded/postmaster.ts'
import { giveToServerRole, letIn } from './embedded/roles.ts'
import { worstOf } from './embedded/run.ts'
import { findUser } from './embedded/unprivileged.ts'

type Options = {
  dataDir: string
  log: Logger
  /** PostgreSQL's own settings, over ours. */
  settings?: Record<string, string>
}

/** Starts the PostgreSQL that came with npm on a data folder, which no other server may use meanwhile. It ends with this process, whatever ends that. */
export async function startEmbeddedPostgres({ dataDir, log, settings = {} }: Options) {
  try {
    const notes: string[] = []
    const folder = await openDataFolder(dataDir)
    const user = await findUser((await findCluster(folder))?.owner)
    const native = await findBinaries(user, notes)
    const cluster = await openCluster({
      folder,
      native,
      user,
      notes,
      sync: settings['fsync'] !== 'off',
    })
    const socketDir = await socketFolder(cluster, user)
    if (user)
      notes.push(
        `Root started PostgreSQL, so it runs as ${user.name}, and so may other programs: this is for trials. Start as a user of your own, or set DATABASE_URL.`,
      )
    const { postmaster, session } = await startAlone({
      native,
      cluster,
      folder,
      socketDir,
      settings,
      user,
    })
    const stop = keepHold({ postmaster, session, socketDir, log })
    await giveToServerRole(session).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    return {
      connection: connectionOn(socketDir) satisfies pg.PoolConfig,
      notes,
      /** Settles when PostgreSQL ends, asked to or not. */
      ended: postmaster.ended.then(() => 'PostgreSQL has ended by itself'),
      async stop() {
        await stop()
        if (socketDir !== cluster) await rm(socketDir, { recursive: true, force: true })
      },
    }
  } catch (error) {
    throw inPlainWords(error, dataDir)
  }
}

type Place = Parameters<typeof startPostmaster>[0]

/** Servers may start at the same moment: PostgreSQL lets one have the cluster, and the others look again. */
async function startAlone(place: Place) {
  for (let attempt = 1; ; attempt++) {
    await clearTheWay(place.cluster, place.folder)
    await letIn(place.cluster, place.user)
    const postmaster = await startPostmaster(place)
    const session = await connectWhile(postmaster.isRunning, place.socketDir)
    if (session && (await takeHold(session).catch(() => false))) return { postmaster, session }
    drop(session)
    await postmaster.stop()
    const log = await postmaster.log()
    const cameSecond = session || /lock file "postmaster.pid" (already exists|is empty)/.test(log)
    if (!cameSecond || attempt === 10)
      throw new StartError(`PostgreSQL could not start in ${place.cluster}: ${worstOf(log)}`)
  }
}

type Held = { socketDir: string; log: Logger } & Awaited<ReturnType<typeof startAlone>>

/** Keeps the hold for as long as PostgreSQL runs, and gives the way to stop it. */
function keepHold({ postmaster, session, socketDir, log }: Held) {
  let stopping = false
  let held = session
  held.once('end', () => void holdAgain())
  void sayWhyItEnded()

  async function sayWhyItEnded() {
    await postmaster.ended
    if (!stopping)
      log.fatal({ reason: worstOf(await postmaster.log()) }, 'PostgreSQL has ended by itself')
  }

  /** After one of its processes has crashed PostgreSQL ends every session and goes on. */
  async function holdAgain() {
    const again = await connectWhile(() => postmaster.isRunning() && !stopping, socketDir)
    if (!again) return
    held = again
    held.once('end', () => void holdAgain())
    await takeHold(held).catch(() => false)
    log.warn('PostgreSQL has recovered from a crash of one of its processes')
  }

  return async () => {
    stopping = true
    drop(held)
    await postmaster.stop()
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
