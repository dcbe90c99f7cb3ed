import { DrizzleQueryError } from 'drizzle-orm'
import { pino } from 'pino'
import { readEnv } from './env.ts'
import { openJobs, type Tries } from './jobs/jobs.ts'
import { StartError } from './start-error.ts'
import { openDatabase, openPool, type Db } from './store/database.ts'
import { joinPostgres } from './store/join-postgres.ts'
import { openStore } from './store/store.ts'

const usage = 'npm run inbox, npm run inbox -- replay EVENT_ID, or npm run inbox -- replay all'
const undefinedTable = '42P01'

/** For the operator: what failed in the webhook inbox, and a way to have it worked on again. Gives what is to be printed. */
export async function inbox(db: Db, [command, which, ...rest]: string[]) {
  if (command === undefined) return listFailed(db)
  if (command !== 'replay' || which === undefined || rest.length > 0) throw new StartError(`Usage: ${usage}`)
  const ids = await replay(db, which)
  if (which !== 'all' && ids.length === 0) throw new StartError(`There is no failed event ${which} in the inbox.`)
  return ids.length === 0 ? nothing : `Queued again, and worked on as soon as a server runs: ${ids.join(', ')}`
}

const nothing = 'Nothing has failed in the inbox.'

async function listFailed(db: Db) {
  const events = await openStore(db).providerEvents.listFailed()
  if (events.length === 0) return nothing
  const tries = await openJobs(db).mapTries(events.map(({ id }) => id))
  const rows = events.map(({ id, type, objectId, receivedAt, error }) => [
    id,
    type,
    objectId,
    inWords(receivedAt),
    whatComes(tries.get(id)),
    // A query that failed tells its values in the lines below.
    error!.split('\n')[0]!,
  ])
  return table([['EVENT', 'TYPE', 'OBJECT', 'RECEIVED (UTC)', 'TRIED AGAIN (UTC)', 'ERROR'], ...rows])
}

async function replay(db: Db, which: string) {
  return db.transaction(async (tx) => {
    const failed = (await openStore(tx).providerEvents.listFailed()).map(({ id }) => id)
    const chosen = failed.filter((id) => which === 'all' || id === which)
    for (const id of chosen) await openJobs(tx).add('workOnEvent', { eventId: id }, { key: id })
    return chosen
  })
}

function whatComes(tries: Tries | undefined) {
  if (!tries?.nextAt) return 'no more'
  return `${inWords(tries.nextAt)}, ${tries.attempts} of ${tries.maxAttempts} done`
}

function inWords(at: Date) {
  return at.toISOString().slice(0, 19).replace('T', ' ')
}

/** Columns as wide as what is in them. */
function table(rows: string[][]) {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

async function main() {
  const log = pino({ level: 'warn' })
  const postgres = await joinPostgres(readEnv(process.env), log)
  const pool = openPool(postgres.connection, log)
  try {
    console.log(await inbox(openDatabase(pool), process.argv.slice(2)))
  } finally {
    await pool.end()
    await postgres.stop()
  }
}

function inOneLine(error: unknown) {
  if (error instanceof StartError) return error.message
  const { code } = ((error instanceof DrizzleQueryError && error.cause) || {}) as { code?: string }
  return code === undefinedTable ? 'This database is not one that a server of this version has worked on. Start the server first.' : error
}

if (import.meta.main) {
  await main().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(inOneLine(error))
      process.exit(1)
    },
  )
}
