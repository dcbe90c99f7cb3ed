import { randomInt } from 'node:crypto'
import pg from 'pg'
import { sessionLimits } from '../sql/database.ts'
import { StartError } from '../platform/start-error.ts'

const oldest = 15

type Variable = { name?: string; isPooler?: boolean }

/** Throws a StartError of one line if the PostgreSQL of the variable can't be used. */
export async function checkDatabaseUrl(
  connectionString: string,
  { name = 'DATABASE_URL', isPooler = false }: Variable = {},
) {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    ...(!isPooler && sessionLimits),
  })
  const { host, port, database } = client
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number; encoding: string }>(
      `select current_setting('server_version_num')::int / 10000 version, current_setting('server_encoding') encoding`,
    )
    const { version, encoding } = rows[0]!
    if (encoding !== 'UTF8')
      throw new StartError(`The database of ${name} has the encoding ${encoding}; UTF8 is needed.`)
    if (version < oldest)
      throw new StartError(
        `The PostgreSQL of ${name} is version ${version}; ${oldest} or newer is needed.`,
      )
    if (!isPooler && !(await keepsItsSession(client, connectionString)))
      throw new StartError(`${name}: ${behindPooler(`${host}:${port}`)}`)
  } catch (error) {
    throw error instanceof StartError
      ? error
      : new StartError(
          `${name}: ${inPlainWords(error as NodeJS.ErrnoException, `${host}:${port}`, database)}`,
        )
  } finally {
    await client.end().catch(() => undefined)
  }
}

function inPlainWords({ code = '', message }: NodeJS.ErrnoException, where: string, database = '') {
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return `nothing listens at ${where}. Start that PostgreSQL, or correct the address.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `there is no host ${where}. Correct the address.`
  if (code === '28P01' || code === '28000')
    return `the PostgreSQL at ${where} refuses this user or password.`
  if (code === '3D000') return `there is no database ${database} at ${where}. Create it first.`
  if (/unsupported startup parameter/.test(message)) return behindPooler(where)
  return `the PostgreSQL at ${where} can't be used: ${message}`
}

function behindPooler(where: string) {
  return `there is a pooler at ${where}. Set DATABASE_DIRECT_URL to the address of the PostgreSQL behind it.`
}

/** A pooler would lend the same session to another client, which then had this one's lock. */
async function keepsItsSession(client: pg.Client, connectionString: string) {
  const key = randomInt(2 ** 31)
  await client.query('select pg_advisory_lock($1)', [key])
  const other = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
  other.on('error', () => undefined)
  try {
    await other.connect()
    const { rows } = await other.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) taken',
      [key],
    )
    return !rows[0]!.taken
  } finally {
    await other.end().catch(() => undefined)
  }
}
