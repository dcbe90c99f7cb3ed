import { DrizzleQueryError } from 'drizzle-orm'
import type pg from 'pg'
import { pino, type Logger } from 'pino'
import { readEnv, type Env } from '../start/env.ts'
import { openLogger } from '../platform/log.ts'
import { StartError } from '../platform/start-error.ts'
import { print } from '../platform/terminal.ts'
import { exitWith } from '../start/announce.ts'
import { openDatabase, openPool, type Db } from '../store/database.ts'
import { joinPostgres } from '../store/postgres/open-postgres.ts'

const notYet = 'No server of this version has run on this database yet. Start the server first.'

/** `connection` leads to PostgreSQL without a pooler. */
export type Place = { connection: pg.PoolConfig; env: Env; log: Logger }

/** Runs an operator's tool on the server's database, prints its result and exits. */
export async function runTool(tool: (db: Db, args: string[]) => Promise<string>) {
  await runOn(async ({ connection, log }, args) => {
    const pool = openPool(connection, log)
    try {
      return await tool(openDatabase(pool), args)
    } finally {
      await pool.end()
    }
  })
}

type Options = {
  /** Runs before PostgreSQL starts. */
  check?: (args: string[]) => Promise<void>
  /** Whether the tool may make a new data folder. */
  makesData?: boolean
}

/** The same for a tool that opens its own connections. Without a result it prints nothing. */
export async function runOn(
  tool: (place: Place, args: string[]) => Promise<string | undefined>,
  { check, makesData = false }: Options = {},
) {
  try {
    // Standard output is for the result alone.
    const log = openLogger('warn', pino.destination(2))
    const args = process.argv.slice(2)
    const env = readEnv(process.env)
    await check?.(args)
    const postgres = await joinPostgres(env, log, { makesData })
    try {
      const { direct: connection } = postgres
      const result = await tool({ connection, env, log }, args)
      if (result !== undefined) print(result)
    } finally {
      await postgres.stop()
    }
    process.exit(0)
  } catch (thrown) {
    const error = isUndefinedTable(thrown) ? new StartError(notYet) : thrown
    if (process.argv.includes('--json'))
      print(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }))
    exitWith(error)
  }
}

function isUndefinedTable(error: unknown) {
  const { code } = ((error instanceof DrizzleQueryError && error.cause) || {}) as { code?: string }
  return code === '42P01'
}
