import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../../platform/start-error.ts'
import { checkDatabaseUrl } from './check-database-url.ts'
import { connectionOn, findRunning, isListening } from './cluster.ts'
import { findCluster, lockFolder } from './data-folder.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

type Started = Awaited<ReturnType<typeof startEmbeddedPostgres>>
type Postgres = Omit<Started, 'connection'> & { connection: pg.PoolConfig }
type Place = { databaseUrl: string | undefined; dataDir: string }

export async function openPostgres(
  { databaseUrl, dataDir }: Place,
  log: Logger,
): Promise<Postgres> {
  if (databaseUrl === undefined) return startEmbeddedPostgres({ dataDir, log })
  await checkDatabaseUrl(databaseUrl)
  return startedElsewhere({ connectionString: databaseUrl })
}

/** For commands: uses a running server's PostgreSQL, or else starts one. Makes no data folder. */
export async function joinPostgres(place: Place, log: Logger): Promise<Postgres> {
  const { databaseUrl, dataDir } = place
  if (databaseUrl !== undefined) return openPostgres(place, log)
  const cluster = await findCluster(dataDir)
  if (!cluster)
    throw new StartError(
      `There is no data in DATA_DIR ${dataDir}. Set DATA_DIR, or DATABASE_URL, as the server has it.`,
    )
  const lock = lockFolder(dataDir)
  lock?.close()
  if (lock) return openPostgres(place, log)
  const patience = AbortSignal.timeout(10_000)
  while (!patience.aborted) {
    const running = await findRunning(cluster)
    if (running && (await isListening(running.socketDir)))
      return startedElsewhere(connectionOn(running.socketDir))
    // The server is still starting PostgreSQL.
    await delay(20)
  }
  throw new StartError(`The server on DATA_DIR ${dataDir} is still starting. Try again.`)
}

function startedElsewhere(connection: pg.PoolConfig): Postgres {
  const ended = new Promise<never>(() => undefined)
  return { connection, notes: [], ended, stop: async () => undefined }
}
