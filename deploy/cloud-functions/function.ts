import { getRequestListener } from '@hono/node-server'
import { openServer } from '../../server/open-server.ts'
import { openLogger } from '../../server/platform/log.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { announceStart, refuseToStart } from '../../server/start/announce.ts'
import { readEnv } from '../../server/start/env.ts'
import { openPostgres } from '../../server/store/postgres/open-postgres.ts'

async function open() {
  const env = readEnv({ ...process.env, ROLE: 'web' })
  if (env.databaseUrl === undefined)
    throw new StartError(
      'A function needs DATABASE_URL: its disk is lost when it ends. Set it, and start a worker beside it.',
    )
  const log = openLogger(env.logLevel)
  announceStart(env, log)
  const { connection, direct } = await openPostgres(env, log)
  return openServer({ env, connection, direct, log })
}

const server = await open().catch(refuseToStart)
void server.refused.then(refuseToStart)

/** The entry point of the function: it answers pages, calls, live streams and webhooks. */
export const atrium = getRequestListener(server.app.fetch)
