import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../platform/start-error.ts'

/** Milliseconds. */
export type Patience = {
  /** How long a change may wait for a table. */
  lockTimeout?: number
  /** How long it leaves the tables to others before it tries again. */
  pause?: number
  /** How long it waits for another server before it says so. */
  quietFor?: number
}

// Former versions take the same lock.
const lock = `hashtext('atrium migrations')`
const limits = `('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

/** Opens a connection that sets no parameter at its start, because PgBouncer refuses those. */
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

/**
 * Runs `work` in a transaction, one server at a time. A statement that waits for a table makes all
 * later calls on the table wait too. So it waits only for a moment; then `work` is undone and,
 * after a pause, run again, until it gets all tables.
 */
export async function changeSchema<Answer>(
  client: pg.Client,
  log: Logger,
  work: () => Promise<Answer>,
  { lockTimeout = 2000, pause = 1000, quietFor = 5000 }: Patience = {},
): Promise<Answer> {
  await client.query('begin')
  try {
    await takeTurn(client, log, quietFor)
    await client.query(`select set_config('lock_timeout', $1, true)`, [String(lockTimeout)])
    const answer = await untilUnlocked(client, log, work, pause)
    await client.query('commit')
    return answer
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Lets statements wait and work without a limit. The role or the database may have set some. */
export function liftLimits(client: pg.Client, during: 'transaction' | 'session') {
  return client.query(`select set_config(name, '0', $1) from pg_settings where name in ${limits}`, [
    during === 'transaction',
  ])
}

async function takeTurn(client: pg.Client, log: Logger, quietFor: number) {
  await liftLimits(client, 'transaction')
  const notice = setTimeout(
    () => log.warn('another server changes the tables of the database, and this one waits for it'),
    quietFor,
  )
  await client.query(`select pg_advisory_xact_lock(${lock})`).finally(() => clearTimeout(notice))
}

async function untilUnlocked<Answer>(
  client: pg.Client,
  log: Logger,
  work: () => Promise<Answer>,
  pause: number,
) {
  await client.query('savepoint before_work')
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isLocked(error)) throw error
      // Lets go of the tables, and not of this server's turn.
      await client.query('rollback to savepoint before_work')
      if (tries % 20 === 1) log.warn({ tries }, 'a change of the tables waits for a free moment')
      await delay(pause)
    }
  }
}

/** Whether a statement waited for too long, or was the victim of a deadlock. */
export function isLocked(error: unknown) {
  return error instanceof pg.DatabaseError && ['55P03', '40P01'].includes(error.code!)
}

/** Says how to get the right that `work` lacks. */
export async function withRights<Answer>(work: Promise<Answer>): Promise<Answer> {
  return work.catch((error: unknown) => {
    throw error instanceof pg.DatabaseError && error.code === '42501'
      ? new StartError(
          `The role of DATABASE_URL lacks a right: ${error.message}. Run npm run migrate -- --grant ROLE as the owner of the tables; docs/operations.md has more under "Migrations".`,
        )
      : error
  })
}
