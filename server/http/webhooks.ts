import { limits } from '#config/limits.ts'
import type { Reason } from '#contract/refusals.ts'
import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { receiveEvent } from '../billing/sync.ts'
import type { InProgress } from '../running/in-progress.ts'
import { nameCaller } from '../platform/caller.ts'
import { limitBody, refusalFor, type HttpEnv } from './request.ts'
import type { Services } from '../core/services.ts'

type WebhookEnv = { Variables: HttpEnv['Variables'] & { refused?: Reason | 'signature' } }

/** Receives Stripe's webhooks. Acknowledges an event once it is stored in the inbox. */
export function stripeWebhookRoutes(services: Services, inProgress: InProgress) {
  return new Hono<WebhookEnv>()
    .use(observeWebhooks)
    .use(refuseUnsigned)
    .post('/', limitBody(limits.calls.webhookSize), async (c) => {
      const event = services.payments.readEvent(
        await c.req.text(),
        c.req.header('stripe-signature')!,
      )
      if (!event) return refuse(c)
      // The provider's events are the server's own work, however many they are.
      nameCaller(undefined)
      c.get('log').setBindings({ event: event.id, type: event.type })
      await inProgress.answer(receiveEvent(event, services))
      return c.json({ received: true })
    })
    .onError((error, c) => {
      const refusal = refusalFor(error, c, 'a webhook failed')
      c.set('refused', refusal.reason)
      return c.json(refusal.toBody(), refusal.reason === 'bodyTooLarge' ? 413 : refusal.httpStatus)
    })
}

/** Logs and counts each webhook. */
const observeWebhooks = createMiddleware<WebhookEnv>(async (c, next) => {
  await next()
  const refused = c.get('refused')
  c.get('log').info({ status: c.res.status, refused }, 'a webhook')
  c.get('observer').count({ kind: 'webhook', outcome: refused ?? 'ok' })
})

/** Refuses requests without a well-formed signature before their body is read. */
const refuseUnsigned = createMiddleware<WebhookEnv>(async (c, next) => {
  const parts = c.req.header('stripe-signature')?.split(',') ?? []
  const isWellFormed =
    parts.some((part) => /^t=\d{1,15}$/.test(part)) &&
    parts.some((part) => /^v1=[\da-f]{64}$/.test(part))
  if (isWellFormed || c.req.method !== 'POST') return next()
  c.header('connection', 'close')
  return refuse(c)
})

function refuse(c: Context<WebhookEnv>) {
  c.set('refused', 'signature')
  return c.json({ error: 'This is no event, or its signature is missing, wrong or too old.' }, 400)
}
