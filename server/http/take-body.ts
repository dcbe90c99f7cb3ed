import { limits } from '#config/limits.ts'
import type { Reason } from '#contract/refusals.ts'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { Refusal } from '../platform/refusal.ts'
import type { VisitOf } from './visit.ts'

type Options = { maxSize: number; visitOf: VisitOf }

/**
 * Refuses a body that is too large, and a long one while the long ones under way are too much together, of one network or of all: however
 * many people send one, and however slowly, the memory that they hold is bounded. A short one always gets through.
 */
export function takeBody({ maxSize, visitOf }: Options) {
  const { shortBody, longBodies, longBodiesByNetwork } = limits.requests
  const limit = bodyLimit({ maxSize, onError: (c) => refuse(c, 'bodyTooLarge') })
  const heldBy = new Map<string, number>()
  let held = 0

  function hold(network: string, size: number) {
    held += size
    const left = (heldBy.get(network) ?? 0) + size
    if (left > 0) heldBy.set(network, left)
    else heldBy.delete(network)
  }

  return createMiddleware(async (c, next) => {
    const size = sizeOf(c.req.raw, maxSize)
    if (size <= shortBody) return limit(c, next)
    if (size > maxSize) refuse(c, 'bodyTooLarge')
    const { network } = visitOf(c)
    if (held + size > longBodies || (heldBy.get(network) ?? 0) + size > longBodiesByNetwork)
      refuse(c, 'unavailable', { retryAfter: 1 })
    hold(network, size)
    try {
      return await limit(c, next)
    } finally {
      hold(network, -size)
    }
  })
}

/** As it says beforehand, or as large as it may become. */
function sizeOf({ headers }: Request, maxSize: number) {
  if (headers.has('transfer-encoding')) return maxSize
  return Number(headers.get('content-length') ?? 0)
}

/** What is still coming of the body must not be taken for the next request. */
function refuse(c: Context, reason: Reason, details?: Record<string, unknown>): never {
  c.header('connection', 'close')
  throw new Refusal(reason, details)
}
