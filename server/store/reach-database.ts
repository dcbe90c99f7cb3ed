import pg from 'pg'
import { StartError } from '../start-error.ts'

const oldest = 15

type Found = { version: number; encoding: string; mayCreate: boolean }

/** Refuses to start on a DATABASE_URL that leads nowhere, lets us not in, or to a PostgreSQL that the tables can't be made in. */
export async function reachDatabase(connectionString: string) {
  const client = open(connectionString)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<Found>(
      `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
         has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as "mayCreate"`,
    )
    refuse(rows[0]!)
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`The database of DATABASE_URL can't be used: ${reason(error as Error)}.`)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function open(connectionString: string) {
  try {
    return new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
  } catch {
    throw new StartError('DATABASE_URL must be an address like postgres://user:password@host:5432/database.')
  }
}

function refuse({ version, encoding, mayCreate }: Found) {
  if (version < oldest) throw new StartError(`The database of DATABASE_URL is PostgreSQL ${version}. Atrium needs ${oldest} or newer.`)
  if (encoding !== 'UTF8') throw new StartError(`The database of DATABASE_URL is encoded in ${encoding}. Atrium needs UTF8.`)
  if (!mayCreate)
    throw new StartError('The user of DATABASE_URL may not create tables there. Grant it CREATE on the database and on its schema public.')
}

/** A host with several addresses gives an error for each, and no message of its own. */
function reason(error: Error) {
  const errors = error instanceof AggregateError ? (error.errors as Error[]) : [error]
  return errors.map(({ message }) => message.replaceAll(/\s+/g, ' ')).join('; ')
}
