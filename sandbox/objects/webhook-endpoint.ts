import { newId } from './ids.ts'
import type { WebhookEndpoint } from './wire.ts'

export type NewWebhookEndpoint = Pick<
  WebhookEndpoint,
  'api_version' | 'description' | 'enabled_events' | 'metadata' | 'url'
>

export function newWebhookEndpoint(given: NewWebhookEndpoint, now: number): WebhookEndpoint {
  return {
    id: newId('we'),
    object: 'webhook_endpoint',
    application: null,
    created: now,
    livemode: false,
    status: 'enabled',
    ...given,
  }
}
