import { createMiddleware } from 'hono/factory'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { pseudonym, type KeyedHash } from '../platform/keyed-hash.ts'
import type { VisitOf } from './visit.ts'

export type HttpEnv = { Variables: { log: Logger; requestId: string } }

/**
 * A log of its own for each request, by the id that the answer carries too. Bodies, headers and query strings are never logged; who asks,
 * and from where, is there as a keyed hash.
 */
export function openLog(log: Logger, keyedHash: KeyedHash, visitOf: VisitOf) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const given = c.req.header('x-request-id')
    const requestId = given && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
    c.set('requestId', requestId)
    c.set('log', log.child({ requestId, address: pseudonym(keyedHash, visitOf(c).address) }))
    await next()
    c.header('x-request-id', requestId)
  })
}
