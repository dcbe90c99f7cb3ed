import pg from 'pg'
import { pino, type Logger } from 'pino'
import { ArgumentError, readArguments } from '../../scripts/commands.mjs'
import { readEnv, type Env } from '../../server/running/env.ts'
import { openLogger } from '../../server/platform/log.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { print } from '../../server/platform/terminal.ts'
import { exitWith } from '../../server/running/announce.ts'
import type { Series } from '../../server/migrate/series.ts'
import { joinPostgres } from '../../server/postgres/open-postgres.ts'

/** PostgreSQL's code. */
const undefinedTable = '42P01'
const notYet = 'No server of this version has run on this database yet. Start the server first.'

/** `connection` leads to PostgreSQL without a pooler. `series`: by default those of this version. */
export type Place = { connection: pg.PoolConfig; env: Env; log: Logger; series?: Series[] }

/** What a command was given. With `help`, that is printed and nothing else is done. */
type Given = { words: string[]; values: { [option: string]: string | undefined }; help?: string }
type Tool<Own> = (place: Place, given: Own) => Promise<string | undefined>

/** Reads the arguments of a command of scripts/commands.mjs. */
export function argumentsOf(name: string) {
  return (args: string[]): Given => {
    try {
      return readArguments(name, args)
    } catch (error) {
      throw error instanceof ArgumentError ? new StartError(error.message) : error
    }
  }
}

type Options<Own> = {
  /** Runs before PostgreSQL starts. */
  check?: (given: Own) => Promise<void>
  /** Whether the tool may make a new data folder. */
  makesData?: boolean
}

/** Runs an operator's tool on the server's database, prints its result, if it has any, and exits. */
export async function runOn<Own extends { help?: string }>(
  read: (args: string[]) => Own | Promise<Own>,
  tool: Tool<Own>,
  { check, makesData = false }: Options<Own> = {},
) {
  try {
    // Standard output is for the result alone.
    const log = openLogger('warn', pino.destination(2))
    const given = await read(process.argv.slice(2))
    if (given.help) return print(given.help)
    const env = readEnv(process.env)
    await check?.(given)
    const postgres = await joinPostgres(env, log, { makesData })
    try {
      const { direct: connection } = postgres
      const result = await tool({ connection, env, log }, given)
      if (result !== undefined) print(result)
    } finally {
      await postgres.stop()
    }
    process.exit(0)
  } catch (thrown) {
    const isEmpty = thrown instanceof pg.DatabaseError && thrown.code === undefinedTable
    const error = isEmpty ? new StartError(notYet) : thrown
    if (process.argv.includes('--json'))
      print(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }))
    exitWith(error)
  }
}
