import { Logger as WorkerLogger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import type { Logger } from 'pino'
import { withRights } from '../migrate/change-schema.ts'

/**
 * Applies the pending migrations of the job queue's library. A server that waits for another one's
 * waits without a limit, so this has a connection of its own.
 */
export async function migrateQueue(connection: pg.PoolConfig, log: Logger) {
  const pool = new pg.Pool({ ...connection, max: 1 })
  const ignore = () => undefined
  // The library asks for both. A query on a lost connection fails, and says so.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  const logger = new WorkerLogger(() => (_level, text) => log.trace({ source: 'jobs' }, text))
  try {
    await withRights(runMigrations({ pgPool: pool, logger }))
  } finally {
    await pool.end()
  }
}
