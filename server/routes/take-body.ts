import { limits } from '#config/limits.ts'
import type { Reason } from '#contract/refusals.ts'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { Refusal } from '../refusal.ts'

/**
 * Refuses a body that is too large, and a long one while the long ones under way are too much together: however many people send one,
 * and however slowly, the memory that they hold is bounded. A short one always gets through.
 */
export function takeBody({ maxSize }: { maxSize: number }) {
  const { shortBody, longBodies } = limits.requests
  const limit = bodyLimit({ maxSize, onError: (c) => refuse(c, 'bodyTooLarge') })
  let held = 0
  return createMiddleware(async (c, next) => {
    const size = sizeOf(c.req.raw, maxSize)
    if (size <= shortBody) return limit(c, next)
    if (size > maxSize) refuse(c, 'bodyTooLarge')
    if (held + size > longBodies) refuse(c, 'unavailable', { retryAfter: 1 })
    held += size
    try {
      return await limit(c, next)
    } finally {
      held -= size
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
