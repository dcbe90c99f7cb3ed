import { limits } from '#config/limits.ts'
import type { RequestListener } from 'node:http'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Refusal } from '../platform/refusal.ts'

/** Milliseconds between two lines in the log about calls that are refused. */
const silence = 60_000

/**
 * Whether more calls than allowed wait for a database connection. Those that wait for the payment
 * provider, a lease or a password hash hold up nobody, and don't count. A burst may be larger,
 * because it soon ends: many calls of one person at once must not get others refused.
 */
export function watchPools(log: Logger, ...pools: pg.Pool[]) {
  const { waiting: few, burst } = limits.calls
  let silentUntil = 0
  /** Since when more than a few calls wait. */
  let crowdedSince = Infinity
  let busyUntil = 0
  return function isBusy() {
    const waiting = pools.reduce((sum, { waitingCount }) => sum + waitingCount, 0)
    const now = performance.now()
    crowdedSince = waiting < few ? Infinity : Math.min(crowdedSince, now)
    const isBurst = waiting < burst.waiting && now - crowdedSince < burst.lasts
    if (waiting < few || (isBurst && now >= busyUntil)) return false
    busyUntil = now + burst.calm
    if (now >= silentUntil) {
      silentUntil = now + silence
      log.warn({ waiting }, 'calls are refused, because too many wait for the database')
    }
    return true
  }
}

export function tooBusy() {
  return new Refusal('unavailable', { retryAfter: limits.calls.retryAfter / 1000 })
}

/** Refuses calls before they are parsed, so that a refusal costs little. */
export function refusingCalls(isBusy: () => boolean, answer: RequestListener): RequestListener {
  return (request, response) => {
    if (!request.url!.startsWith('/api/') || !isBusy()) return answer(request, response)
    const refusal = tooBusy()
    response
      .writeHead(refusal.httpStatus, {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'retry-after': String(refusal.details['retryAfter']),
      })
      .end(JSON.stringify(refusal.toBody()))
  }
}
