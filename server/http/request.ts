import { engineLimits, limits } from '#config/limits.ts'
import { isCallName } from '#contract/calls.ts'
import type { Reason } from '#contract/refusals.ts'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { toRefusal } from '../core/to-refusal.ts'
import { asCaller } from '../platform/caller.ts'
import { hasChecksum, isAccessToken } from '../platform/ids.ts'
import { pseudonym } from '../platform/keyed-hash.ts'
import { unobserved, type Observer, type Trace, type Work } from '../observe/observer.ts'
import { Refusal } from '../platform/refusal.ts'
import type { VisitOf } from './visit.ts'
import type { Services, Visit } from '../core/services.ts'

export type HttpEnv = { Variables: { log: Logger; visit: Visit; observer: Observer } }
export type CallEnv = { Variables: HttpEnv['Variables'] & { refusal?: Refusal } }

const hasOwnLine = /^\/(api|live|webhooks|readyz)\b/
const ofOperators = new Set(['/healthz', '/readyz', '/metrics'])

/** Nothing logs bodies, headers or query strings, and visitors appear only as keyed hashes. */
export function openRequests({ log, keyedHash, observer }: Services, visitOf: VisitOf) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const given = c.req.header('x-request-id')
    const requestId = given && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
    const visit = visitOf(c)
    const parent = readTraceparent(c.req.header('traceparent'))
    const work: Work = { kind: 'request', method: c.req.method, parent }
    const began = performance.now()
    c.set('visit', visit)
    c.set('observer', observer)
    // What operators ask all the time would only hide what people do.
    const { watch } = ofOperators.has(c.req.path) ? unobserved : observer
    await asCaller(visit.network, () =>
      watch(work, async () => {
        const { traceId, spanId } = work.trace ?? { traceId: parent?.traceId, spanId: undefined }
        const address = pseudonym(keyedHash, visit.address)
        c.set('log', log.child({ requestId, address, traceId, spanId }))
        await next()
        work.route = routePath(c)
        work.status = c.res.status
      }),
    )
    const { route, status = 0 } = work
    // The route stands for the path, which may hold a secret.
    if (status >= 500 && !hasOwnLine.test(route!)) {
      const ms = Math.round(performance.now() - began)
      // What a server refuses because it is too busy would fill the log.
      const level = status === 503 ? 'info' : 'warn'
      c.get('log')[level]({ method: work.method, route, status, ms }, 'a request was not answered')
    }
    // Hono's `c.header` would turn the body of an answer that is ready into a stream.
    c.res.headers.set('x-request-id', requestId)
  })
}

/** A passkey alone is a second step, too. */
const waysIn: Record<string, string> = { signIn: 'password', finishSignIn: 'secondStep' }

/** Logs and measures each call, answered or refused, without its input and output. */
export const observeCalls = createMiddleware<CallEnv>(async (c, next) => {
  const began = performance.now()
  const path = c.req.path.split('/').at(-1)!
  const call = isCallName(path) ? path : 'unknown'
  const work: Work = { kind: 'call', name: call }
  const observer = c.get('observer')
  await observer.watch(work, async () => {
    await next()
    work.outcome = c.get('refusal')?.status ?? 'ok'
  })
  const { reason, limit } = c.get('refusal') ?? {}
  const ms = Math.round(performance.now() - began)
  c.get('log').info({ call, status: c.res.status, ms, refused: reason, limit }, 'a call')
  const way = waysIn[call]
  if (way) observer.count({ kind: 'signIn', way, outcome: reason ?? 'ok' })
})

/** Returns the refusal that answers an error. Logs an error that is our fault as `whatFailed`. */
export function refusalFor(error: unknown, c: Context<HttpEnv>, whatFailed: string) {
  const refusal = toRefusal(error)
  if (refusal.reason === 'internal') c.get('log').error({ err: error }, whatFailed)
  if (refusal.limit) c.get('observer').count({ kind: 'limited', limit: refusal.limit })
  const { retryAfter = refusal.httpStatus === 503 ? limits.calls.retryAfter / 1000 : undefined } =
    refusal.details
  if (typeof retryAfter === 'number') c.header('retry-after', String(retryAfter))
  return refusal
}

export function bearerOf(c: Context) {
  const bearer = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  // The database need not be asked about a typing mistake.
  if (bearer && isAccessToken(bearer) && !hasChecksum(bearer)) throw new Refusal('sessionEnded')
  return bearer
}

/** Limits the memory of long bodies in progress, of one network and of all. Accepts short ones. */
export function limitBody(maxSize: number) {
  const { shortBody, longBodies, longBodiesByNetwork } = engineLimits.requests
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

/** Reads the W3C header `traceparent`. Undefined if it is missing or malformed. */
function readTraceparent(header: string | undefined): Trace | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff') return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & 1) === 1 }
}
