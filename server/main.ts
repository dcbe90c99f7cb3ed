import { flushCompileCache } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { listen } from './running/listen.ts'
import { openServer, type Parts } from './open-server.ts'
import { openLogger } from './platform/log.ts'
import { checkSignInProviders } from './providers/sign-in/sign-in-providers.ts'
import { announce, announceStart, refuseToStart } from './running/announce.ts'
import { readEnv, type Env } from './running/env.ts'
import { runUntilAsked } from './running/until-asked-to-stop.ts'
import { openPostgres } from './postgres/open-postgres.ts'

async function main() {
  const env = readEnv(process.env)
  const log = openLogger(env.logLevel)
  announceStart(env, log)
  const postgres = await openPostgres(env, log)
  const { server, http } = await openAndListen(env, postgres, log).catch(async (error: unknown) => {
    await postgres.stop()
    throw error
  })
  announce(env, postgres.notes, log)
  void checkSignInProviders(server.services.signInProviders, log)
  // The next start then loads faster, even if this server is killed.
  flushCompileCache()

  const stop = async ({ isAsked }: { isAsked: boolean }) => {
    server.beginStop()
    if (isAsked) await delay(env.stopDelay)
    server.closeStreams()
    await http.close(server.refuseAll)
    // Waits at most a second. Another server takes over a job that is still running.
    await Promise.race([server.stop(), delay(1000)])
    await Promise.race([server.leave(), delay(500)])
    await postgres.stop()
  }
  const refused = server.refused.then(({ message }) => message)
  await runUntilAsked({ lost: Promise.race([postgres.ended, refused]), stop, log })
}

async function openAndListen(
  env: Env,
  { connection, direct }: Pick<Parts, 'connection' | 'direct'>,
  log: Logger,
) {
  const server = await openServer({
    env,
    connection,
    direct,
    log,
    alone: env.databaseUrl === undefined,
  })
  const http = await listen(server.app, {
    ...env,
    isBusy: server.isBusy,
    observer: server.observer,
  }).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  return { server, http }
}

// Nothing awaits it here: a module's chunk imports this one, and each would wait for the other.
if (import.meta.main) void main().catch(refuseToStart)
