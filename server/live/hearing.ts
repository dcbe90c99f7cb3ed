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
    const { promise: heard, resolve: hasHeard } = Promise.withResolvers<boolean>()
    const hear = ({ payload }: pg.Notification) => void (payload === id && hasHeard(true))
    const end = () => hasHeard(true)
    client.on('notification', hear).once('end', end)
    await client.query('select pg_notify($1, $2)', ['live_check', id])
    const tooLate = delay(patience, false, { ref: false })
      // After a pause of this process, the notice may be there although the time is over.
      .then(() => afterNotices(false))
    const isFine = await Promise.race([heard, tooLate])
    client.off('notification', hear).off('end', end)
    if (!isFine)
      log.error(
        'live updates and jobs are late: the server does not hear what the database notifies. If DATABASE_URL leads to a pooler, set DATABASE_DIRECT_URL to an address that leads to PostgreSQL itself',
      )
  }
}
