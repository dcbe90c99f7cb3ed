import { limits } from '#config/limits.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { keepConnection } from './kept-connection.ts'
import { newId } from '../platform/ids.ts'
import { openDatabase, type Db } from '../sql/database.ts'
import type { AboutServer } from '../store/schema.ts'
import * as servers from '../store/servers.ts'

/** With these, PostgreSQL drops the connection of a dead machine in a minute instead of hours. */
const giveUpTheSilent = `set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3`

type Options = {
  connection: pg.PoolConfig
  about: AboutServer
  log: Logger
  /** Other connections may be lost, too. */
  onLost: () => unknown
}

/** Short, so that a server notices a lost connection, and has another, before it counts as dead. */
const patience = { connecting: 1000, answering: 1000 }

/** How many looks in a row a dead server is silent. */
const looks = 4

/**
 * Shows other servers on the database that this one lives, by a lock that ends with its connection.
 * Takes over what dead servers held: see docs/decisions/014-several-servers.md.
 */
export async function openPresence({ connection, about, log, onLost }: Options) {
  const id = newId()
  let isLooking = false
  /** The process of PostgreSQL that held this server's lock last. */
  let holder: number | undefined
  /** How often in a row each other server was silent. */
  let silent = new Map<string, number>()
  const kept = await keepConnection({
    connection,
    log,
    name: 'atrium presence',
    patience,
    async prepare(client) {
      await client.query(giveUpTheSilent)
      const db = openDatabase(client)
      if (!(await servers.register(db, id, about))) {
        // A lost connection may hold the lock for long, and another server's test does for a moment.
        if (holder !== undefined) await servers.endFormer(db, { id, process: holder })
        throw new Error('the lock of this server is taken')
      }
      holder = (client as { processID?: number }).processID
    },
    // Only the connection with this server's own lock looks, so a silent server takes nothing.
    beat: { every: limits.database.look, ask: look },
    onLost() {
      silent = new Map()
      log.warn('the connection that shows other servers that this one is alive was lost')
      onLost()
    },
    onBack: async () => log.info('other servers see again that this one is alive'),
  })

  /** A server that has just lost its connection has some looks to open another. */
  async function look(client: pg.Client) {
    const db = openDatabase(client)
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
    await kept.stop((client) =>
      servers
        .takeOver(openDatabase(client), id)
        .catch((err: unknown) => log.warn({ err }, 'others will free what this server holds')),
    )
  }

  let left: Promise<void> | undefined

  return {
    id,
    /** Call it once the job queue has its tables. */
    start: () => void (isLooking = true),
    /** Takes over at once what all other servers held, because they are dead. */
    async takeOverAll(db: Db) {
      for (const other of await servers.listSilent(db, { asker: id })) await takeOver(other, db)
    },
    /** Frees at once what this server still holds. Its work should have ended. */
    stop: () => (left ??= leave()),
  }
}
