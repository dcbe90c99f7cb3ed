import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { patience } from './patience.ts'

type Options = {
  connection: pg.PoolConfig
  name: string
  log: Logger
  prepare: (client: pg.Client) => Promise<unknown>
  onLost: () => void
  /** Runs when the connection is back. It is repeated until it succeeds. */
  onBack: () => Promise<void>
}

export async function keepConnection({ connection, name, log, prepare, onLost, onBack }: Options) {
  const stopped = new AbortController()
  let client: pg.Client | undefined
  await open().catch(openAgain)

  async function open() {
    const next = newClient()
    next.once('end', () => void (next === client && openAgain()))
    try {
      await next.connect()
      await prepare(next)
    } catch (error) {
      log.debug({ err: error, connection: name }, 'a database connection could not be opened')
      void next.end().catch(() => undefined)
      throw error
    }
    client = next
    if (stopped.signal.aborted) await next.end()
    else keepWatching(next)
  }

  function newClient() {
    const client = new pg.Client({
      ...connection,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: patience.connecting,
      query_timeout: patience.answering,
    })
    client.on('error', (error) =>
      log.debug({ err: error, connection: name }, 'a database connection failed'),
    )
    return client
  }

  async function openAgain() {
    if (stopped.signal.aborted) return
    client = undefined
    onLost()
    await untilItWorks(open)
    await untilItWorks(onBack)
  }

  async function untilItWorks(work: () => Promise<void>) {
    const { first, most } = limits.database.reconnect
    for (let wait: number = first; !stopped.signal.aborted; wait = Math.min(wait * 2, most)) {
      try {
        return await work()
      } catch {
        // Partly random, so that not all servers reconnect at the same moment.
        const time = wait * (0.5 + Math.random() / 2)
        await delay(time, undefined, { signal: stopped.signal }).catch(() => undefined)
      }
    }
  }

  return {
    /** The connection, unless it is lost at the moment. */
    client: () => client,
    async stop() {
      stopped.abort()
      await client?.end().catch(() => undefined)
    },
  }
}

/** Sends queries regularly, because only a query shows that a connection has silently died. */
function keepWatching(client: pg.Client) {
  const timer = setInterval(
    () => void client.query('select 1').catch(() => client.end()),
    limits.live.heartbeat,
  )
  client.once('end', () => clearInterval(timer))
}
