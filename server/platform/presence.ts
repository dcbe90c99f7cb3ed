import { sql, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Logger } from 'pino'
import { keepConnection } from './kept-connection.ts'
import { newId } from './ids.ts'

export type Presence = Awaited<ReturnType<typeof openPresence>>

/** PostgreSQL gives a machine up that vanished without a word after less than a minute, instead of after hours. */
const giveUpTheSilent = `set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3`

/**
 * Shows the other servers on the database that this one lives: as long as it does, a connection of its own holds a lock under its id. What
 * a server took for itself, however long ago, is given to another one only when that lock is free.
 */
export async function openPresence({
  connection,
  log,
}: {
  connection: pg.PoolConfig
  log: Logger
}) {
  const id = newId()
  const kept = await keepConnection({
    connection,
    name: 'atrium presence',
    log,
    async prepare(client) {
      await client.query(giveUpTheSilent)
      const { rows } = await drizzle(client).execute<{ taken: boolean }>(
        sql`select pg_try_advisory_lock(${lockOf(sql`${id}`)}) taken`,
      )
      // The connection that was lost may keep it for a while, and others hold it for a moment to see that nobody does.
      if (!rows[0]!.taken) throw new Error('somebody else holds the lock of this server')
    },
    onLost: () =>
      log.warn('other servers can not see that this one lives: its connection for that was lost'),
    onBack: async () => log.info('other servers see again that this one lives'),
  })
  return { id, stop: () => kept.stop() }
}

/** Whether the server of this id has died. It can't come back before the transaction that asks has ended. */
export function hasDied(id: SQL) {
  return sql`pg_try_advisory_xact_lock(${lockOf(id)})`
}

function lockOf(id: SQL) {
  return sql`hashtextextended('server ' || ${id}, 0)`
}
