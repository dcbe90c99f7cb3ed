import { newObject } from './new-object.ts'
import type { WebhookEndpoint } from './wire.ts'

export type NewWebhookEndpoint = Pick<
  WebhookEndpoint,
  'api_version' | 'description' | 'enabled_events' | 'metadata' | 'url'
>

export function newWebhookEndpoint(given: NewWebhookEndpoint, now: number): WebhookEndpoint {
  return {
    ...newObject('webhook_endpoint', 'we', now),
    application: null,
    status: 'enabled',
    ...given,
  }
}
