import { realpath } from 'node:fs/promises'
import type { Logger } from 'pino'
import { StartError } from '../platform/start-error.ts'
import { findCluster } from './embedded/data-folder.ts'
import { connectionOn, isInUse } from './embedded/hold.ts'
import { findRunning } from './embedded/postmaster.ts'
import { openPostgres, type Postgres } from './open-postgres.ts'

type Place = { databaseUrl: string | undefined; dataDir: string }

/** For a tool beside the server, or without one: the PostgreSQL that it runs on, or else one that is started here. Makes no data folder. */
export async function joinPostgres(
  { databaseUrl, dataDir }: Place,
  log: Logger,
): Promise<Postgres> {
  if (databaseUrl !== undefined) return openPostgres({ databaseUrl, dataDir }, log)
  const folder = await realpath(dataDir).catch(() => undefined)
  const found = folder === undefined ? undefined : await findCluster(folder)
  if (!found)
    throw new StartError(
      `There is no data in DATA_DIR ${dataDir}. Set DATA_DIR, or DATABASE_URL, as the server has it.`,
    )
  const running = await findRunning(found.cluster)
  if (!running || !(await isInUse(running))) return openPostgres({ databaseUrl, dataDir }, log)
  return {
    connection: connectionOn(running.socketDir),
    notes: [],
    ended: new Promise(() => undefined),
    stop: async () => undefined,
  }
}
