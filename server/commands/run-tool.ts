import { DrizzleQueryError } from 'drizzle-orm'
import { pino } from 'pino'
import { readEnv } from '../start/env.ts'
import { StartError } from '../platform/start-error.ts'
import { exitWith } from '../start/announce.ts'
import { openDatabase, openPool, type Db } from '../store/database.ts'
import { joinPostgres } from '../store/postgres/open-postgres.ts'

const notYet = 'No server of this version has run on this database yet. Start the server first.'

/** Runs an operator's tool on the server's database, prints its result and exits. */
export async function runTool(tool: (db: Db, args: string[]) => Promise<string>) {
  try {
    const log = pino({ level: 'warn' })
    const postgres = await joinPostgres(readEnv(process.env), log)
    const pool = openPool(postgres.connection, log)
    try {
      console.log(await tool(openDatabase(pool), process.argv.slice(2)))
    } finally {
      await pool.end()
      await postgres.stop()
    }
    process.exit(0)
  } catch (error) {
    exitWith(isUndefinedTable(error) ? new StartError(notYet) : error)
  }
}

function isUndefinedTable(error: unknown) {
  const { code } = ((error instanceof DrizzleQueryError && error.cause) || {}) as { code?: string }
  return code === '42P01'
}
