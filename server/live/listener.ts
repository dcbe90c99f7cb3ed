import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { readFact, type Fact } from './fact.ts'

type Options = {
  connection: pg.PoolConfig
  log: Logger
  onFact: (fact: Fact) => void
  /** It listens again after it didn't for a while: whatever was told meanwhile is lost. */
  onGap: () => Promise<void>
}

/** Milliseconds. */
const patience = 10_000

/** The one connection of this server that hears what the database tells; it comes back by itself. */
export async function openListener({ connection, log, onFact, onGap }: Options) {
  const stopped = new AbortController()
  let client: pg.Client | undefined
  if (!(await listen())) void listenAgain()

  /** True once it listens. From then on it looks after itself. */
  async function listen() {
    const next = newClient()
    next.once('end', () => void (next === client && listenAgain()))
    try {
      await next.connect()
      await next.query('listen live')
    } catch (error) {
      log.debug({ err: error }, 'the listening database connection could not be opened')
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
      application_name: 'atrium live',
      keepAlive: true,
      connectionTimeoutMillis: patience,
      query_timeout: patience,
    })
    client.on('error', (error) => log.debug({ err: error }, 'the listening database connection failed'))
    client.on('notification', ({ payload = '' }) => {
      const fact = readFact(payload)
      if (fact) onFact(fact)
    })
    return client
  }

  async function listenAgain() {
    if (stopped.signal.aborted) return
    client = undefined
    log.warn('live updates are interrupted: there is no connection that listens to the database')
    await untilItWorks(listen)
    await untilItWorks(async () => {
      await onGap()
      return true
    })
    if (!stopped.signal.aborted) log.info('live updates go on')
  }

  async function untilItWorks(work: () => Promise<boolean>) {
    const { first, most } = limits.live.reconnect
    for (let wait: number = first; !stopped.signal.aborted; wait = Math.min(wait * 2, most)) {
      if (await work().catch(() => false)) return
      // In part by chance, so that not every server comes back at the same moment.
      await delay(wait * (0.5 + Math.random() / 2), undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }

  return {
    async stop() {
      stopped.abort()
      await client?.end().catch(() => undefined)
    },
  }
}

/** A connection that died without a word is noticed only by whoever asks something. */
function keepWatching(client: pg.Client) {
  const timer = setInterval(() => void client.query('select 1').catch(() => client.end()), limits.live.heartbeat)
  client.once('end', () => clearInterval(timer))
}
