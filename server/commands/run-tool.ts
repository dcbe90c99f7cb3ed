import { DrizzleQueryError } from 'drizzle-orm'
import { pino } from 'pino'
import { readEnv } from '../start/env.ts'
import { StartError } from '../platform/start-error.ts'
import { openDatabase, openPool, type Db } from '../store/database.ts'
import { joinPostgres } from '../store/postgres/open-postgres.ts'

const undefinedTable = '42P01'

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
    console.error(inOneLine(error))
    process.exit(1)
  }
}

function inOneLine(error: unknown) {
  if (error instanceof StartError) return error.message
  const { code } = ((error instanceof DrizzleQueryError && error.cause) || {}) as { code?: string }
  return code === undefinedTable
    ? 'No server of this version has run on this database yet. Start the server first.'
    : error
}
