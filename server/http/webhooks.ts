import { limits } from '#config/limits.ts'
import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { receiveEvent } from '../billing/sync.ts'
import { toRefusal } from '../core/to-refusal.ts'
import type { HttpEnv } from './request-log.ts'
import { takeBody } from './take-body.ts'
import type { VisitOf } from './visit.ts'
import type { Services } from '../core/services.ts'

/** An event is in the inbox, and only then acknowledged. */
export function stripeWebhookRoutes(services: Services, visitOf: VisitOf) {
  return new Hono<HttpEnv>()
    .use(refuseUnsigned)
    .post('/', takeBody({ maxSize: limits.calls.webhookSize, visitOf }), async (c) => {
      const event = services.payments.readEvent(
        await c.req.text(),
        c.req.header('stripe-signature')!,
      )
      if (!event) return refuse(c)
      await receiveEvent(event, services)
      c.get('log').info({ event: event.id, type: event.type }, 'received')
      return c.json({ received: true })
    })
    .onError((error, c) => {
      const refusal = toRefusal(error)
      if (refusal.reason === 'internal') c.get('log').error({ err: error }, 'a webhook failed')
      else c.get('log').info({ refused: refusal.reason }, 'a webhook')
      if (typeof refusal.details['retryAfter'] === 'number')
        c.header('retry-after', String(refusal.details['retryAfter']))
      return c.json(refusal.toBody(), refusal.reason === 'bodyTooLarge' ? 413 : refusal.httpStatus)
    })
}

/** Strangers don't get as far as having a body read. */
const refuseUnsigned = createMiddleware<HttpEnv>(async (c, next) => {
  const parts = c.req.header('stripe-signature')?.split(',') ?? []
  const isWellFormed =
    parts.some((part) => /^t=\d{1,15}$/.test(part)) &&
    parts.some((part) => /^v1=[\da-f]{64}$/.test(part))
  if (isWellFormed || c.req.method !== 'POST') return next()
  c.header('connection', 'close')
  return refuse(c)
})

function refuse(c: Context<HttpEnv>) {
  c.get('log').info({ refused: 'signature' }, 'a webhook')
  return c.json({ error: 'This is no event, or its signature is missing, wrong or too old.' }, 400)
}
