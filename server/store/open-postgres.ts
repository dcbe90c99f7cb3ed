import type pg from 'pg'
import type { Logger } from 'pino'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { checkOwnPostgres } from './own-postgres.ts'

export type Postgres = {
  connection: pg.PoolConfig
  /** What whoever starts the server should know. */
  notes: string[]
  /** Settles if a PostgreSQL of ours ends; somebody else's is their concern. */
  ended: Promise<string>
  stop: () => Promise<void>
}

/** The PostgreSQL of DATABASE_URL, or else one that is started here. */
export async function openPostgres(
  { databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string },
  log: Logger,
): Promise<Postgres> {
  if (databaseUrl === undefined) return startEmbeddedPostgres({ dataDir, log })
  await checkOwnPostgres(databaseUrl)
  return {
    connection: { connectionString: databaseUrl },
    notes: [],
    ended: new Promise(() => undefined),
    stop: async () => undefined,
  }
}
