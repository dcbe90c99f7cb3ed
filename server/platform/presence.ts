import { sql, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Logger } from 'pino'
import { keepConnection } from './kept-connection.ts'
import { newId } from './ids.ts'

/** With these, PostgreSQL drops the connection of a dead machine in a minute instead of hours. */
const giveUpTheSilent = `set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3`

/** Holds a lock while this server lives. When it is free, others take over its jobs and leases. */
export async function openPresence(options: { connection: pg.PoolConfig; log: Logger }) {
  const { log } = options
  const id = newId()
  const kept = await keepConnection({
    ...options,
    name: 'atrium presence',
    async prepare(client) {
      await client.query(giveUpTheSilent)
      const { rows } = await drizzle(client).execute<{ taken: boolean }>(
        sql`select pg_try_advisory_lock(${lockOf(sql`${id}`)}) taken`,
      )
      // A lost connection holds it for a while, and another server's test for a moment.
      if (!rows[0]!.taken) throw new Error('the lock of this server is taken')
    },
    onLost: () =>
      log.warn('the connection that shows other servers that this one is alive was lost'),
    onBack: async () => log.info('other servers see again that this one is alive'),
  })
  return { id, stop: () => kept.stop() }
}

/** Takes the dead server's lock, so that it can't come back before the transaction ends. */
export function hasDied(id: SQL) {
  return sql`pg_try_advisory_xact_lock(${lockOf(id)})`
}

function lockOf(id: SQL) {
  return sql`hashtextextended('server ' || ${id}, 0)`
}
