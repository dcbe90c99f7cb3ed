import pg from 'pg'
import { StartError } from '../../platform/start-error.ts'

const oldest = 15

/** Throws a StartError of one line if the PostgreSQL of DATABASE_URL can't be used. */
export async function checkDatabaseUrl(connectionString: string) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
  const { host, port, database } = client
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number; encoding: string; mayCreate: boolean }>(`
      select current_setting('server_version_num')::int / 10000 version, current_setting('server_encoding') encoding,
        has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') "mayCreate"`)
    const { version, encoding, mayCreate } = rows[0]!
    if (encoding !== 'UTF8')
      throw new StartError(
        `The database of DATABASE_URL has the encoding ${encoding}; UTF8 is needed.`,
      )
    if (!mayCreate)
      throw new StartError(
        `DATABASE_URL: this user may not create tables and schemas in the database. Grant it CREATE.`,
      )
    if (version < oldest)
      throw new StartError(
        `The PostgreSQL of DATABASE_URL is version ${version}; ${oldest} or newer is needed.`,
      )
  } catch (error) {
    throw error instanceof StartError
      ? error
      : inPlainWords(error as NodeJS.ErrnoException, `${host}:${port}`, database)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function inPlainWords({ code = '', message }: NodeJS.ErrnoException, where: string, database = '') {
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return new StartError(
      `DATABASE_URL: nothing listens at ${where}. Start that PostgreSQL, or correct the address.`,
    )
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartError(`DATABASE_URL: there is no host ${where}. Correct the address.`)
  if (code === '28P01' || code === '28000')
    return new StartError(`DATABASE_URL: the PostgreSQL at ${where} refuses this user or password.`)
  if (code === '3D000')
    return new StartError(
      `DATABASE_URL: there is no database ${database} at ${where}. Create it first.`,
    )
  return new StartError(`DATABASE_URL: the PostgreSQL at ${where} can't be used: ${message}`)
}
