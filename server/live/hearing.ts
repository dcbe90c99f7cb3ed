import { limits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { newId } from '../platform/ids.ts'

/** Milliseconds after which a notice should have been heard. */
const patience = 2000

/**
 * Listens to itself, and logs an error if it hears nothing. Behind a pooler, PostgreSQL accepts
 * `listen` and then notifies a connection that somebody else has.
 */
export async function checkHearing(client: pg.Client, log: Logger) {
  const id = newId()
  let hasHeard = false
  client.on('notification', ({ channel, payload }) => {
    if (channel === 'live_check' && payload === id) hasHeard = true
  })
  await client.query('listen live_check')

  const check = async () => {
    hasHeard = false
    await client.query('select pg_notify($1, $2)', ['live_check', id])
    await delay(patience, undefined, { ref: false })
    if (!hasHeard && isOpen)
      log.error(
        'live updates and jobs are late: the server does not hear what the database notifies. If DATABASE_URL leads to a pooler, set DATABASE_DIRECT_URL to an address that leads to PostgreSQL itself',
      )
  }
  let isOpen = true
  const checkNow = () => void check().catch(() => undefined)
  const timer = setInterval(checkNow, limits.live.heartbeat)
  client.once('end', () => {
    isOpen = false
    clearInterval(timer)
  })
  checkNow()
}
