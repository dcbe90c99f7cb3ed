import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Logger } from 'pino'
import * as schema from './schema.ts'

/** The pool, or one transaction on it. */
export type Db = Omit<NodePgDatabase<typeof schema>, '$client'>

// Reads `bigint` columns as numbers: ours are small enough, and `+` would join strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Logs a broken connection. The pool replaces it when a query needs one. */
export function openPool(connection: pg.PoolConfig, log: Logger) {
  const pool = new pg.Pool({
    max: 12,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    ...connection,
  })
  pool.on('error', (err) =>
    log.warn({ reason: err.message }, 'an idle database connection was lost'),
  )
  pool.on('connect', (client) =>
    client.on('error', (err) =>
      log.debug({ reason: err.message }, 'a database connection was lost'),
    ),
  )
  return pool
}

export function openDatabase(pool: pg.Pool) {
  return drizzle(pool, { schema })
}

/** Runs the migrations. If several servers start at once, one migrates and the others wait. */
export async function migrateDatabase(pool: pg.Pool) {
  const client = await pool.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('atrium migrations'))`)
    // Hides notices like "already exists", which would appear at every start.
    await client.query(`set client_min_messages to warning`)
    await migrate(drizzle(client), {
      migrationsFolder: fileURLToPath(new URL('migrations', import.meta.url)),
    })
  } finally {
    await client.query(`select pg_advisory_unlock_all()`).catch(() => undefined)
    client.release(true)
  }
}
