import { DrizzleQueryError } from 'drizzle-orm'
import { pino } from 'pino'
import { readEnv } from '../start/env.ts'
import { StartError } from '../platform/start-error.ts'
import { openDatabase, openPool, type Db } from '../store/database.ts'
import { joinPostgres } from '../store/postgres/open-postgres.ts'

const undefinedTable = '42P01'

/** Runs an operator's tool on the server's database, prints what it has to say, and ends. */
export async function runTool(tool: (db: Db, args: string[]) => Promise<string>) {
  await main(tool).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(inOneLine(error))
      process.exit(1)
    },
  )
}

async function main(tool: (db: Db, args: string[]) => Promise<string>) {
  const log = pino({ level: 'warn' })
  const postgres = await joinPostgres(readEnv(process.env), log)
  const pool = openPool(postgres.connection, log)
  try {
    console.log(await tool(openDatabase(pool), process.argv.slice(2)))
  } finally {
    await pool.end()
    await postgres.stop()
  }
}

function inOneLine(error: unknown) {
  if (error instanceof StartError) return error.message
  const { code } = ((error instanceof DrizzleQueryError && error.cause) || {}) as { code?: string }
  return code === undefinedTable
    ? 'This database is not one that a server of this version has worked on. Start the server first.'
    : error
}
