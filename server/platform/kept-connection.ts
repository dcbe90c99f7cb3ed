import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

type Options = {
  connection: pg.PoolConfig
  /** What the database calls it. */
  name: string
  log: Logger
  /** Makes a connection that has just been opened what it is for. */
  prepare: (client: pg.Client) => Promise<unknown>
  onLost: () => void
  /** Repeated until it works. */
  onBack: () => Promise<void>
}

/** Milliseconds. */
const patience = 10_000

/** A database connection of its own for as long as the server runs: it is ready when this settles, and comes back by itself. */
export async function keepConnection({ connection, name, log, prepare, onLost, onBack }: Options) {
  const stopped = new AbortController()
  let client: pg.Client | undefined
  if (!(await open())) await openAgain()

  /** True once it is ready. From then on it looks after itself. */
  async function open() {
    const next = newClient()
    next.once('end', () => void (next === client && openAgain()))
    try {
      await next.connect()
      await prepare(next)
    } catch (error) {
      log.debug({ err: error, connection: name }, 'a database connection could not be opened')
      void next.end().catch(() => undefined)
      return false
    }
    client = next
    if (stopped.signal.aborted) await next.end()
    else keepWatching(next)
    return true
  }

  function newClient() {
    const client = new pg.Client({
      ...connection,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: patience,
      query_timeout: patience,
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
    await untilItWorks(async () => {
      await onBack()
      return true
    })
  }

  async function untilItWorks(work: () => Promise<boolean>) {
    const { first, most } = limits.live.reconnect
    for (let wait: number = first; !stopped.signal.aborted; wait = Math.min(wait * 2, most)) {
      if (await work().catch(() => false)) return
      // In part by chance, so that not every server comes back at the same moment.
      await delay(wait * (0.5 + Math.random() / 2), undefined, { signal: stopped.signal }).catch(
        () => undefined,
      )
    }
  }

  return {
    async stop() {
      stopped.abort()
      await client?.end().catch(() => undefined)
    },
  }
}

/** Only a question shows that a connection has died without a word. */
function keepWatching(client: pg.Client) {
  const timer = setInterval(
    () => void client.query('select 1').catch(() => client.end()),
    limits.live.heartbeat,
  )
  client.once('end', () => clearInterval(timer))
}
