import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../platform/start-error.ts'
import { checkDatabaseUrl } from './check-database-url.ts'
import { connectionOn, findServing } from './cluster.ts'
import { findCluster } from './data-folder.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

type Started = Awaited<ReturnType<typeof startEmbeddedPostgres>>
type Postgres = Omit<Started, 'connection'> & {
  connection: pg.PoolConfig
  /** Leads to PostgreSQL without a pooler. */
  direct: pg.PoolConfig
}
type Place = {
  databaseUrl: string | undefined
  databaseDirectUrl?: string | undefined
  dataDir: string
}

export async function openPostgres(
  { databaseUrl, databaseDirectUrl, dataDir }: Place,
  log: Logger,
): Promise<Postgres> {
  if (databaseUrl === undefined) {
    const started = await startEmbeddedPostgres({ dataDir, log })
    return { ...started, direct: started.connection }
  }
  if (databaseDirectUrl === undefined) {
    await checkDatabaseUrl(databaseUrl)
    return startedElsewhere({ connectionString: databaseUrl })
  }
  await checkDatabaseUrl(databaseDirectUrl, { name: 'DATABASE_DIRECT_URL' })
  await checkDatabaseUrl(databaseUrl, { isPooler: true })
  return startedElsewhere(
    { connectionString: databaseUrl },
    { connectionString: databaseDirectUrl },
  )
}

/**
 * For commands: uses a running server's PostgreSQL, or else starts one. Makes a data folder only if
 * the command `makesData`.
 */
export async function joinPostgres(
  place: Place,
  log: Logger,
  { makesData = false } = {},
): Promise<Postgres> {
  const { databaseUrl, dataDir } = place
  if (databaseUrl !== undefined) return openPostgres(place, log)
  const cluster = await findCluster(dataDir)
  if (!cluster && !makesData)
    throw new StartError(
      `There is no data in DATA_DIR ${dataDir}. Set DATA_DIR, or DATABASE_URL, as the server has it.`,
    )
  if (cluster) await requireOwner(dataDir)
  const serving = cluster && (await findServing(cluster))
  return serving ? startedElsewhere(connectionOn(serving)) : openPostgres(place, log)
}

async function requireOwner(dataDir: string) {
  await access(join(dataDir, 'postgres.log'), constants.W_OK).catch(() => {
    throw new StartError(
      `DATA_DIR ${dataDir} belongs to another user. Run this as the user who runs the server.`,
    )
  })
}

function startedElsewhere(connection: pg.PoolConfig, direct = connection): Postgres {
  const ended = new Promise<never>(() => undefined)
  return { connection, direct, notes: [], ended, stop: async () => undefined }
}
