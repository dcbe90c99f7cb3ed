import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../platform/start-error.ts'
import { lacksRight, onOwnConnection, takeTurn, withRights } from './change-schema.ts'
import {
  listMigrations,
  numberOf,
  ourMigrations,
  readMigration,
  type Known,
  type Migration,
} from './migration-files.ts'

type Options = {
  folder?: string
  /** The `when` of the last migration to apply. */
  last?: number
}

/**
 * Applies the pending migrations, each in a transaction of its own. If several servers start at
 * once, one migrates and the others wait. Refuses to go on with a database that needs newer code.
 */
export async function migrateDatabase(
  connection: pg.PoolConfig,
  log: Logger,
  { folder = ourMigrations, last = Infinity }: Options = {},
) {
  const known = (await listMigrations(folder)).filter(({ when }) => when <= last)
  const migrate = async (client: pg.Client) => {
    // Most starts ask only this.
    const before = await readNewest(client, known)
    const unknown = known.filter(({ when }) => when > before)
    if (unknown.length === 0) return []
    const migrations = await Promise.all(unknown.map((entry) => readMigration(folder, entry)))
    await takeTurn(client, log)
    // Another server may have applied some in the meantime.
    const newest = await readNewest(client, known)
    const pending = migrations.filter(({ when }) => when > newest)
    for (const migration of pending) await apply(client, migration, log)
    const applied = pending.map(numberOf)
    if (before > 0) log.info({ migrations: applied }, 'the database was migrated')
    return applied
  }
  const applied = await withRights(onOwnConnection(connection, log, migrate))
  return { applied, schema: numberOf(known.at(-1)!) }
}

/** The `when` of the database's newest migration, or 0 if it has no tables yet. */
async function readNewest(client: pg.Client, known: Known[]) {
  const reading = client.query<{ newest: number; oldestCode: string }>(
    `select max(created_at)::float8 newest,
       coalesce((select value from installation where name = 'oldest code'), '0000') "oldestCode"
     from drizzle.__drizzle_migrations`,
  )
  const found = await reading.catch((error: { code?: string }) => {
    if (error.code !== '42P01') throw error
  })
  if (!found) return 0
  const { newest, oldestCode } = found.rows[0]!
  const ours = numberOf(known.at(-1)!)
  if (oldestCode > ours)
    throw new StartError(
      `This version is too old for its database: it knows migrations up to ${ours}, and the database needs ${oldestCode}. Start a newer version.`,
    )
  if (newest < known[0]!.when)
    throw new StartError('This database is older than version 1.0.0. Start 1.0.0 on it first.')
  return newest
}

/**
 * A statement that waits for a table makes all later calls on the table wait too. So it waits only
 * for a moment; then the migration is undone and, after a pause, tried again, until it gets all
 * tables.
 */
async function apply(client: pg.Client, { name, when, text, oldestCode }: Migration, log: Logger) {
  for (let tries = 1; ; tries++)
    try {
      await client.query(`begin; set local lock_timeout = '2s'`)
      await client.query(text)
      // The column is Drizzle's, and nothing reads it.
      await client.query(
        'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)',
        [name, when],
      )
      await client.query(
        `insert into installation (name, value) values ('oldest code', $1)
         on conflict (name) do update set value = greatest(installation.value, excluded.value)`,
        [oldestCode],
      )
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      if (!isLocked(error)) throw inPlainWords(error, name)
      if (tries % 20 === 1) log.warn({ tries }, 'a change of the tables waits for a free moment')
      await delay(1000)
    }
}

/** Whether a statement waited for too long, or was the victim of a deadlock. */
function isLocked(error: unknown) {
  return error instanceof pg.DatabaseError && ['55P03', '40P01'].includes(error.code!)
}

function inPlainWords(error: unknown, name: string) {
  if (!(error instanceof pg.DatabaseError) || error.code === lacksRight) return error
  return new StartError(
    `The migration ${name} failed, and nothing of it is kept: ${error.message}. Mend that and start again.`,
  )
}
