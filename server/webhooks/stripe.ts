import { limits } from '#config/limits.ts'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { takeEvent } from '../billing/take-event.ts'
import type { HttpEnv } from '../routes/request-log.ts'
import type { Services } from '../services.ts'

/** An event is in the inbox, and only then acknowledged. */
export function stripeWebhookRoutes(services: Services) {
  return new Hono<HttpEnv>().post('/', bodyLimit({ maxSize: limits.calls.webhookSize }), async (c) => {
    const event = services.payments.readEvent(await c.req.text(), c.req.header('stripe-signature') ?? '')
    if (!event) return c.json({ error: 'This is no event, or its signature is missing, wrong or too old.' }, 400)
    await takeEvent(event, services)
    c.get('log').info({ event: event.id, type: event.type }, 'received')
    return c.json({ received: true })
  })
}
