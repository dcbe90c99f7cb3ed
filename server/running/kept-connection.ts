import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

type Options = {
  connection: pg.PoolConfig
  name: string
  log: Logger
  /** Milliseconds that connecting, and an answer, may take. */
  patience: { connecting: number; answering: number }
  prepare: (client: pg.Client) => Promise<unknown>
  /** Asks something every `beat` milliseconds, since only that shows that a connection has died. */
  beat: { every: number; ask: (client: pg.Client) => Promise<unknown> }
  onLost: () => void
  /** Runs when the connection is back. It is repeated until it succeeds. */
  onBack: () => Promise<void>
}

export async function keepConnection(options: Options) {
  const { connection, name, log, patience, prepare, beat, onLost, onBack } = options
  const stopped = new AbortController()
  const { signal } = stopped
  let client: pg.Client | undefined
  let asking: Promise<unknown> = Promise.resolve()
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
    if (signal.aborted) await next.end()
    else void keepAsking(next)
  }

  async function keepAsking(current: pg.Client) {
    while (current === client && !signal.aborted) {
      await delay(beat.every, undefined, { signal }).catch(() => undefined)
      if (current !== client || signal.aborted) return
      asking = beat.ask(current).catch((error: unknown) => {
        log.debug({ err: error, connection: name }, 'a database connection does not answer')
        return current.end()
      })
      await asking
    }
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
    if (signal.aborted) return
    client = undefined
    onLost()
    await untilItWorks(open)
    await untilItWorks(onBack)
  }

  async function untilItWorks(work: () => Promise<void>) {
    const { first, most } = limits.database.reconnect
    for (let wait: number = first; !signal.aborted; wait = Math.min(wait * 2, most)) {
      try {
        return await work()
      } catch {
        // Partly random, so that not all servers reconnect at the same moment.
        const time = wait * (0.5 + Math.random() / 2)
        await delay(time, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  return {
    /** `last` is asked before the connection ends, if there is one. */
    async stop(last?: (client: pg.Client) => Promise<unknown>) {
      stopped.abort()
      await asking
      if (client) await last?.(client)
      await client?.end().catch(() => undefined)
    },
  }
}
