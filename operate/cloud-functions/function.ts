import { http } from '@google-cloud/functions-framework'
import { getRequestListener } from '@hono/node-server'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { refusingCalls } from '../../server/running/busy.ts'
import { openServer } from '../../server/open-server.ts'
import { openLogger } from '../../server/platform/log.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { announceStart, refuseToStart } from '../../server/running/announce.ts'
import { readEnv } from '../../server/running/env.ts'
import { runUntilAsked } from '../../server/running/until-asked-to-stop.ts'
import { openPostgres } from '../../server/postgres/open-postgres.ts'

/** The platform kills an instance ten seconds after it asks it to stop. */
const patience = 7000

await openFunction().catch(refuseToStart)

/** Offers the server as a function of Google's framework. A worker runs the jobs elsewhere. */
async function openFunction() {
  const env = readEnv({ ...process.env, ROLE: 'web' })
  if (!env.databaseUrl)
    throw new StartError('A function keeps no data of its own: set DATABASE_URL to a PostgreSQL.')
  const log = openLogger(env.logLevel)
  announceStart(env, log)
  const { connection, direct, ended } = await openPostgres(env, log)
  const server = await openServer({ env, connection, direct, log })
  const answer = getRequestListener(server.app.fetch)
  const open = new Set<ServerResponse>()
  http(
    'app',
    refusingCalls(
      server.isBusy,
      (request, response) => {
        open.add(response)
        response.once('close', () => open.delete(response))
        void answer(request, response)
      },
      server.observer,
    ),
  )

  const stop = async () => {
    server.beginStop()
    server.closeStreams()
    const late = AbortSignal.timeout(patience)
    while (open.size > 0 && !late.aborted) await delay(20)
    server.refuseAll()
    await Promise.race([server.stop(), delay(1000)])
    await Promise.race([server.leave(), delay(500)])
  }
  const refused = server.refused.then(({ message }) => message)
  onceFrameworkListens(
    () => void runUntilAsked({ lost: Promise.race([ended, refused]), stop, log }),
  )
}

/** Replaces the framework's handlers of signals, which end the process at once. */
function onceFrameworkListens(listen: () => void) {
  process.on('newListener', function replace(event) {
    if (event !== 'SIGTERM') return
    process.off('newListener', replace)
    queueMicrotask(() => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
      listen()
    })
  })
}
