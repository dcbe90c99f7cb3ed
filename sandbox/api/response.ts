import { apiVersion } from '../objects/event.ts'
import type { Answer } from './idempotency.ts'

/** The HTTP response for an answer. `id` is the id of the request. */
export function stripeResponse({ status, body, firstRequest }: Answer, id: string): Response {
  const headers = new Headers({
    'content-type': 'application/json',
    'request-id': id,
    'stripe-version': apiVersion,
    'cache-control': 'no-store',
  })
  if (firstRequest) {
    headers.set('idempotent-replayed', 'true')
    headers.set('original-request', firstRequest)
  }
  return new Response(JSON.stringify(body), { status, headers })
}
