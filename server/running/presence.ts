import { engineLimits } from '#config/limits.ts'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { newId } from '../platform/ids.ts'
import { version } from '../platform/version.ts'
import { openDatabase, type Db } from '../sql/database.ts'
import type { AboutServer } from '../store/schema.ts'
import * as servers from '../store/servers.ts'

const { look: pause, looks, again } = engineLimits.database

/** With these, PostgreSQL drops the connection of a dead machine within half a minute. */
const giveUpTheSilent = `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`

/** Short, so that a server notices a lost connection, and has another, before it counts as dead. */
const patience = { connectionTimeoutMillis: 1000, query_timeout: 1000 }

type Options = { connection: pg.PoolConfig; about: AboutServer; log: Logger }

type Listener = {
  channel: string
  hear: (payload: string) => void
  onLost?: () => void
  /** It hears again, and may have missed something. */
  onBack?: () => void
}

export type Presence = Awaited<ReturnType<typeof openPresence>>

/**
 * The server's own connection, which is replaced when it is lost. It holds the lock that shows other
 * servers that this one lives, takes over what dead servers held, and hears what the database
 * notifies: see docs/decisions/014-several-servers.md.
 */
export async function openPresence({ connection, about, log }: Options) {
  const id = newId()
  const stopped = new AbortController()
  const { signal } = stopped
  const listeners: Listener[] = []
  let hasLock = false
  let isLooking = false
  /** How often in a row each other server was silent. */
  let silent = new Map<string, number>()
  let client: pg.Client | undefined = await connect()
  await showLife(client)
  const worked = work()

  async function work() {
    while (!signal.aborted) {
      await delay(client ? pause : again, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      if (client) await look(client).catch(lose)
      else await comeBack().catch((err: unknown) => log.debug({ err }, 'no connection yet'))
    }
  }

  async function connect() {
    const next = new pg.Client({
      ...connection,
      ...patience,
      application_name: 'presence',
      keepAlive: true,
      pipeline: true,
    })
    // The next question on it fails, too.
    next.on('error', () => undefined)
    next.on('notification', ({ channel, payload = '' }) => {
      for (const listener of listeners) if (listener.channel === channel) listener.hear(payload)
    })
    try {
      await next.connect()
      await next.query(giveUpTheSilent)
      for (const { channel } of listeners) await next.query(`listen "${channel}"`)
      return next
    } catch (error) {
      void next.end().catch(() => undefined)
      throw error
    }
  }

  async function comeBack() {
    client = await connect()
    for (const { onBack } of listeners) onBack?.()
    await look(client).catch(lose)
  }

  function lose(why: unknown) {
    log.debug({ err: why }, 'the connection that shows that this server lives does not answer')
    log.warn('the connection that shows other servers that this one is alive was lost')
    void client?.end().catch(() => undefined)
    client = undefined
    hasLock = false
    silent = new Map()
    for (const { onLost } of listeners) onLost?.()
  }

  /** A connection that the network has lost may still have the lock, and shows the same. */
  async function showLife(current: pg.Client) {
    hasLock = await servers.register(openDatabase(current), id, about)
  }

  async function look(current: pg.Client) {
    if (!hasLock) {
      await showLife(current)
      if (!hasLock) return
      log.info('other servers see again that this one is alive')
    }
    // A server that has just lost its connection has some looks to open another.
    const db = openDatabase(current)
    const found = await servers.listSilent(db, { asker: id })
    silent = new Map(found.map((other) => [other, (silent.get(other) ?? 0) + 1]))
    if (!isLooking) return
    for (const [other, times] of silent) if (times >= looks) await takeOver(other, db)
  }

  async function takeOver(other: string, db: Db) {
    const held = await servers.takeOver(db, other)
    if (held)
      log.warn({ server: other, ...held }, 'a server has died, and others take over what it held')
  }

  async function leave() {
    stopped.abort()
    await worked
    if (!client) return
    await servers
      .takeOver(openDatabase(client), id)
      .catch((err: unknown) => log.warn({ err }, 'others will free what this server holds'))
    await client.end().catch(() => undefined)
  }

  let left: Promise<void> | undefined

  return {
    id,
    async listen(listener: Listener) {
      listeners.push(listener)
      // A connection that is lost meanwhile listens when it is back.
      await client?.query(`listen "${listener.channel}"`).catch(() => undefined)
    },
    start: () => void (isLooking = true),
    /** Takes over at once what all other servers held, because they are dead. */
    async takeOverAll(db: Db) {
      for (const other of await servers.listSilent(db, { asker: id })) await takeOver(other, db)
    },
    /** Frees at once what this server still holds. Its work should have ended. */
    stop: () => (left ??= leave()),
  }
}

/** What tells operators which of their servers this is. */
export function aboutServer(role: string, schema: string): AboutServer {
  return { host: hostname(), pid: process.pid, role, version, schema, node: process.version }
}
