import { limits } from '#config/limits.ts'
import { isCallName } from '#contract/calls.ts'
import type { Reason } from '#contract/refusals.ts'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { toRefusal } from '../core/to-refusal.ts'
import { pseudonym, type KeyedHash } from '../platform/keyed-hash.ts'
import type { Metrics } from '../platform/metrics.ts'
import { Refusal } from '../platform/refusal.ts'
import type { VisitOf } from './visit.ts'
import type { Visit } from '../core/services.ts'

export type HttpEnv = { Variables: { log: Logger; visit: Visit } }
export type CallEnv = { Variables: HttpEnv['Variables'] & { refusal?: Refusal } }

/** Nothing logs bodies, headers or query strings, and visitors appear only as keyed hashes. */
export function openRequests(log: Logger, keyedHash: KeyedHash, visitOf: VisitOf) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const given = c.req.header('x-request-id')
    const requestId = given && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
    const visit = visitOf(c)
    c.set('visit', visit)
    c.set('log', log.child({ requestId, address: pseudonym(keyedHash, visit.address) }))
    await next()
    // Hono's `c.header` would turn the body of an answer that is ready into a stream.
    c.res.headers.set('x-request-id', requestId)
  })
}

/** Logs and measures each call, answered or refused, without its input and output. */
export function observeCalls(metrics: Metrics | undefined) {
  return createMiddleware<CallEnv>(async (c, next) => {
    const started = performance.now()
    await next()
    const ms = performance.now() - started
    const name = c.req.path.split('/').at(-1)!
    const call = isCallName(name) ? name : 'unknown'
    const refusal = c.get('refusal')
    c.get('log').info(
      { call, ms: Math.round(ms), ...(refusal && { refused: refusal.reason }) },
      'a call',
    )
    metrics?.observeCall(call, refusal?.status ?? 'ok', ms)
  })
}

/** Returns the refusal that answers an error. Logs an error that is our fault as `whatFailed`. */
export function refusalFor(error: unknown, c: Context<HttpEnv>, whatFailed: string) {
  const refusal = toRefusal(error)
  if (refusal.reason === 'internal') c.get('log').error({ err: error }, whatFailed)
  const { retryAfter = refusal.httpStatus === 503 ? limits.calls.retryAfter / 1000 : undefined } =
    refusal.details
  if (typeof retryAfter === 'number') c.header('retry-after', String(retryAfter))
  return refusal
}

export function bearerOf(c: Context) {
  return /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
}

/** Limits the memory of long bodies in progress, of one network and of all. Accepts short ones. */
export function limitBody(maxSize: number) {
  const { shortBody, longBodies, longBodiesByNetwork } = limits.requests
  const limit = bodyLimit({ maxSize, onError: (c) => refuseBody(c, 'bodyTooLarge') })
  const heldBy = new Map<string, number>()
  let held = 0

  function hold(network: string, size: number) {
    held += size
    const left = (heldBy.get(network) ?? 0) + size
    if (left > 0) heldBy.set(network, left)
    else heldBy.delete(network)
  }

  return createMiddleware<HttpEnv>(async (c, next) => {
    const length = c.req.header('content-length')
    const isStreamed = c.req.header('transfer-encoding') !== undefined
    // A body without a length counts as the longest body allowed.
    const size = isStreamed ? maxSize : Number(length ?? 0)
    // Node's parser already holds a body to its length.
    const read = length === undefined || isStreamed ? () => limit(c, next) : next
    if (size <= shortBody) return read()
    if (size > maxSize) refuseBody(c, 'bodyTooLarge')
    const { network } = c.get('visit')
    if (held + size > longBodies || (heldBy.get(network) ?? 0) + size > longBodiesByNetwork)
      refuseBody(c, 'unavailable', { retryAfter: 1 })
    hold(network, size)
    try {
      return await read()
    } finally {
      hold(network, -size)
    }
  })
}

/** Closes the connection too, so that the rest of the body is not read as the next request. */
function refuseBody(c: Context, reason: Reason, details?: Record<string, unknown>): never {
  c.header('connection', 'close')
  throw new Refusal(reason, details)
}
