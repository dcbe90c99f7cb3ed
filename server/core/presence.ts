import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { keepConnection } from '../platform/kept-connection.ts'
import { newId } from '../platform/ids.ts'
import { openDatabase } from '../store/database.ts'
import * as servers from '../store/servers.ts'

/** With these, PostgreSQL drops the connection of a dead machine in a minute instead of hours. */
const giveUpTheSilent = `set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3`

type Options = { connection: pg.PoolConfig; log: Logger }

export type Presence = Awaited<ReturnType<typeof openPresence>>

/**
 * Shows other servers on the database that this one lives, by a lock that ends with its connection.
 * Takes over what dead servers held: see docs/decisions/014-several-servers.md.
 */
export async function openPresence({ connection, log }: Options) {
  const id = newId()
  const stopped = new AbortController()
  /** The servers that were silent at the last look. */
  let silent = new Set<string>()
  const kept = await keepConnection({
    connection,
    log,
    name: 'atrium presence',
    async prepare(client) {
      await client.query(giveUpTheSilent)
      // A lost connection holds the lock for a while, and another server's test for a moment.
      if (!(await servers.register(openDatabase(client), id)))
        throw new Error('the lock of this server is taken')
    },
    onLost() {
      silent = new Set()
      log.warn('the connection that shows other servers that this one is alive was lost')
    },
    onBack: async () => log.info('other servers see again that this one is alive'),
  })

  /** Only the connection with this server's own lock asks, so that a silent server takes nothing. */
  async function ask<Answer>(question: (db: ReturnType<typeof openDatabase>) => Promise<Answer>) {
    const client = kept.client()
    return client && question(openDatabase(client))
  }

  /** A server that has just lost its connection has until the next look to open another. */
  async function look() {
    const found = await listSilent()
    const dead = found.filter((other) => silent.has(other))
    silent = new Set(found)
    for (const other of dead) await takeOver(other)
  }

  async function listSilent() {
    return (await ask((db) => servers.listSilent(db, { asker: id }))) ?? []
  }

  async function takeOver(other: string) {
    const held = await ask((db) => servers.takeOver(db, other))
    if (held)
      log.warn({ server: other, ...held }, 'a server has died, and others take over what it held')
  }

  async function keepLooking() {
    const { signal } = stopped
    while (!signal.aborted) {
      await look().catch((err: unknown) => log.debug({ err }, 'could not look for dead servers'))
      await delay(limits.database.look, undefined, { signal }).catch(() => undefined)
    }
  }

  let left: Promise<void> | undefined

  async function leave() {
    stopped.abort()
    await ask((db) => servers.takeOver(db, id)).catch((err: unknown) =>
      log.warn({ err }, 'others will free what this server holds'),
    )
    await kept.stop()
  }

  return {
    id,
    /** Call it once the job queue has its tables. `alone`: no other server uses the database. */
    async start({ alone }: { alone: boolean }) {
      if (alone) for (const other of await listSilent()) await takeOver(other)
      void keepLooking()
    },
    /** Frees at once what this server still holds. Its work should have ended. */
    stop: () => (left ??= leave()),
  }
}
