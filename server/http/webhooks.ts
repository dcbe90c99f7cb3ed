import { limits } from '#config/limits.ts'
import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { receiveEvent } from '../billing/sync.ts'
import type { InProgress } from './in-progress.ts'
import { limitBody, refusalFor, type HttpEnv } from './request.ts'
import type { Services } from '../core/services.ts'

/** Receives Stripe's webhooks. Acknowledges an event once it is stored in the inbox. */
export function stripeWebhookRoutes(services: Services, inProgress: InProgress) {
  return new Hono<HttpEnv>()
    .use(refuseUnsigned)
    .post('/', limitBody(limits.calls.webhookSize), async (c) => {
      const event = services.payments.readEvent(
        await c.req.text(),
        c.req.header('stripe-signature')!,
      )
      if (!event) return refuse(c)
      await inProgress.answer(receiveEvent(event, services))
      c.get('log').info({ event: event.id, type: event.type }, 'received')
      return c.json({ received: true })
    })
    .onError((error, c) => {
      const refusal = refusalFor(error, c, 'a webhook failed')
      if (refusal.reason !== 'internal') c.get('log').info({ refused: refusal.reason }, 'a webhook')
      return c.json(refusal.toBody(), refusal.reason === 'bodyTooLarge' ? 413 : refusal.httpStatus)
    })
}

/** Refuses requests without a well-formed signature before their body is read. */
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
