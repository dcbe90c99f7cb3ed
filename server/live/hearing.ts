import { setImmediate as afterNotices, setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { newId } from '../platform/ids.ts'

/** Milliseconds after which a notice should have been heard. */
const patience = 2000

export function openHearing(log: Logger) {
  const id = newId()

  /**
   * Notifies itself on a connection that listens to `live_check`, and logs an error if it hears
   * nothing. Behind a pooler, PostgreSQL accepts `listen` and then notifies a connection that
   * somebody else has.
   */
  return async (client: pg.Client) => {
    let hasHeard = false
    let isOpen = true
    const hear = ({ payload }: pg.Notification) => (hasHeard ||= payload === id)
    const end = () => (isOpen = false)
    client.on('notification', hear).once('end', end)
    await client.query('select pg_notify($1, $2)', ['live_check', id])
    await delay(patience, undefined, { ref: false })
    // After a pause of this process, the notice may be there although the time is over.
    await afterNotices()
    client.off('notification', hear).off('end', end)
    if (isOpen && !hasHeard)
      log.error(
        'live updates and jobs are late: the server does not hear what the database notifies. If DATABASE_URL leads to a pooler, set DATABASE_DIRECT_URL to an address that leads to PostgreSQL itself',
      )
  }
}
