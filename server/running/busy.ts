import { limits } from '#config/limits.ts'
import type { RequestListener } from 'node:http'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Observer } from '../observe/observer.ts'
import { openQuiet } from '../platform/quiet.ts'
import { Refusal } from '../platform/refusal.ts'

/**
 * Whether more calls than allowed wait for a database connection. Those that wait for the payment
 * provider, a lease, a password hash or only for others of their caller hold up nobody, and don't
 * count. The more calls are refused,
 * the fewer may wait: a queue that never ends only makes every answer late.
 */
export function watchPools(log: Logger, ...pools: pg.Pool[]) {
  const { most, least, rise } = limits.calls.waiting
  let allowed: number = most
  const isQuiet = openQuiet()
  return function isBusy() {
    const waiting = pools.reduce((sum, { waitingCount }) => sum + waitingCount, 0)
    if (waiting < allowed) {
      allowed = Math.min(most, allowed + rise)
      return false
    }
    allowed = Math.max(least, allowed - 1)
    if (!isQuiet())
      log.warn({ waiting }, 'calls are refused, because too many wait for the database')
    return true
  }
}

export function tooBusy() {
  return new Refusal('unavailable', { retryAfter: limits.calls.retryAfter / 1000 })
}

/** Refuses calls before they are parsed, so that a refusal costs little. */
export function refusingCalls(
  isBusy: () => boolean,
  answer: RequestListener,
  { count }: Pick<Observer, 'count'>,
): RequestListener {
  const refusal = tooBusy()
  const body = JSON.stringify(refusal.toBody())
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'retry-after': String(refusal.details['retryAfter']),
  }
  return (request, response) => {
    if (!request.url!.startsWith('/api/') || !isBusy()) return answer(request, response)
    count({ kind: 'crowded' })
    response.writeHead(refusal.httpStatus, headers).end(body)
  }
}
