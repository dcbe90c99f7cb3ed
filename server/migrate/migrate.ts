import pg from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../platform/start-error.ts'
import {
  changeSchema,
  isLocked,
  onOwnConnection,
  withRights,
  type Patience,
} from './change-schema.ts'
import {
  listMigrations,
  numberOf,
  ourMigrations,
  readMigrations,
  type Known,
  type Migration,
} from './migration-files.ts'

type Options = Patience & {
  folder?: string
  /** The `when` of the last migration to apply. */
  last?: number
}

/** What the database says: the `when` of its newest migration, and the oldest code that works. */
type State = { newest: number; oldestCode: string }

const empty: State = { newest: 0, oldestCode: '0000' }

/**
 * Applies the pending migrations, each in a transaction of its own. If several servers start at
 * once, one migrates and the others wait. Refuses to go on with a database that needs newer code.
 */
export async function migrateDatabase(
  connection: pg.PoolConfig,
  log: Logger,
  { folder = ourMigrations, last = Infinity, ...patience }: Options = {},
) {
  const known = (await listMigrations(folder)).filter(({ when }) => when <= last)
  const migrate = async (client: pg.Client) => {
    // Most starts ask only this.
    const state = await readState(client).catch(orEmpty)
    requireNewCode(state, known)
    const applied: string[] = []
    if (state.newest >= known.at(-1)!.when) return applied
    const migrations = readMigrations(folder, known)
    for (;;) {
      const next = await changeSchema(client, log, () => applyNext(client, migrations), patience)
      if (!next) break
      applied.push(numberOf(next))
    }
    if (state !== empty) log.info({ migrations: applied }, 'the database was migrated')
    return applied
  }
  const applied = await withRights(onOwnConnection(connection, log, migrate))
  return { applied, schema: numberOf(known.at(-1)!) }
}

async function readState(client: pg.Client) {
  const { rows } = await client.query<State>(
    `select coalesce(max(created_at), 0)::float8 newest,
       coalesce((select value from installation where name = 'oldest code'), '0000') "oldestCode"
     from drizzle.__drizzle_migrations`,
  )
  return rows[0]!
}

/** Before the first migration there are no tables to read. */
function orEmpty(error: unknown) {
  if (error instanceof pg.DatabaseError && error.code === '42P01') return empty
  throw error
}

function requireNewCode({ oldestCode }: State, known: Known[]) {
  const ours = numberOf(known.at(-1)!)
  if (oldestCode > ours)
    throw new StartError(
      `This version is too old for its database: it knows migrations up to ${ours}, and the database needs ${oldestCode}. Start a newer version.`,
    )
}

/** Applies the oldest pending migration. Another server may have applied some in the meantime. */
async function applyNext(client: pg.Client, migrations: Migration[]) {
  const { rows } = await client.query<{ begun: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null and to_regclass('installation') is not null begun`,
  )
  const state = rows[0]!.begun ? await readState(client) : empty
  requireNewCode(state, migrations)
  const next = migrations.find(({ when }) => when > state.newest)
  if (!next) return undefined
  try {
    if (state === empty) await client.query(journalTable)
    await apply(client, next)
  } catch (error) {
    throw inPlainWords(error, next)
  }
  return next
}

/** As Drizzle makes it, whose migrator former versions use. */
const journalTable = `
create schema if not exists drizzle;
create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`

async function apply(client: pg.Client, { statements, hash, when, oldestCode }: Migration) {
  for (const statement of statements) await client.query(statement)
  await client.query(
    'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)',
    [hash, when],
  )
  if (oldestCode === undefined) return
  await client.query(
    `insert into installation (name, value) values ('oldest code', $1)
     on conflict (name) do update set value = greatest(installation.value, excluded.value)`,
    [oldestCode],
  )
}

function inPlainWords(error: unknown, { name }: Migration) {
  if (!(error instanceof pg.DatabaseError) || isLocked(error)) return error
  if (error.code === '42501')
    return new StartError(
      `The database needs the migration ${name}, and the role of DATABASE_URL may not apply it: ${error.message}. Run npm run migrate as the owner of the tables first; docs/operations.md has more under "Migrations".`,
    )
  return new StartError(
    `The migration ${name} failed, and nothing of it is kept: ${error.message}. Mend that and start again.`,
  )
}
