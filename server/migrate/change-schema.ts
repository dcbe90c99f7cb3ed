import pg from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../platform/start-error.ts'

// Servers since 1.0.0 take the same lock.
const lock = `hashtext('atrium migrations')`
const limits = `('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')`

export async function onOwnConnection<Answer>(
  connection: pg.PoolConfig,
  log: Logger,
  work: (client: pg.Client) => Promise<Answer>,
): Promise<Answer> {
  const client = new pg.Client({ ...connection, keepAlive: true })
  client.on('error', (err) => log.debug({ reason: err.message }, 'a database connection was lost'))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Lets statements wait and work without a limit. The role or the database may have set some. */
export function liftLimits(client: pg.Client) {
  return client.query(
    `select set_config(name, '0', false) from pg_settings where name in ${limits}`,
  )
}

/** From then on, until the connection ends, no other server changes the tables. */
export async function takeTurn(client: pg.Client, log: Logger) {
  await liftLimits(client)
  const { rows } = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_lock(${lock}) taken`,
  )
  if (rows[0]!.taken) return
  log.info('another server changes the tables of the database, and this one waits for it')
  await client.query(`select pg_advisory_lock(${lock})`)
}

export const lacksRight = '42501'

/** Says how to get the right that `work` lacks. */
export async function withRights<Answer>(work: Promise<Answer>): Promise<Answer> {
  return work.catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || error.code !== lacksRight) throw error
    throw new StartError(
      `The role of DATABASE_URL lacks a right: ${error.message}. Run npm run migrate as the owner of the tables, and then the SQL of docs/rights.md.`,
    )
  })
}
