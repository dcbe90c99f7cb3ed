import Stripe from 'stripe'
import { isLoopback } from '../../../platform/networks.ts'

/**
 * What the inbox acts on: whatever happens to a subscription or an invoice, money that goes back, and cards that are added. No more than
 * can be asked for at once, when events that never came are fetched; other events of refunds, and those of credit notes, say nothing
 * that these don't.
 */
export const events = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'invoice.created',
  'invoice.finalized',
  'invoice.finalization_failed',
  'invoice.updated',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'refund.failed',
  'payment_method.attached',
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[]

type Say = (line: string) => void

/**
 * The webhook endpoint, found or made, with the events and the API version that the server understands. Gives its secret, which the
 * provider tells only when it is made.
 */
export async function setUpEndpoint(stripe: Stripe, publicUrl: string, say: Say) {
  const url = `${publicUrl}/webhooks/stripe`
  if (!canBeReached(publicUrl)) {
    say(withoutEndpoint(url))
    return undefined
  }
  const endpoint = await findEndpoint(stripe, url)
  if (endpoint) {
    await keepEndpoint(stripe, endpoint, say)
    return undefined
  }
  const made = await stripe.webhookEndpoints.create({
    url,
    enabled_events: [...events],
    api_version: Stripe.API_VERSION,
  })
  say(`made endpoint ${made.id} for ${url}`)
  return made.secret
}

function canBeReached(publicUrl: string) {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' && !isLoopback(hostname) && !hostname.endsWith('.localhost')
}

function withoutEndpoint(url: string) {
  const listen = `stripe listen --forward-to ${url} --events ${events.join(',')}`
  return `no endpoint was made, because Stripe can't reach ${url}. Set PUBLIC_URL to an https address; or, to try it here, run this, which prints the STRIPE_WEBHOOK_SECRET to use: ${listen}`
}

async function findEndpoint(stripe: Stripe, url: string) {
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 }))
    if (endpoint.url === url) return endpoint
  return undefined
}

async function keepEndpoint(
  stripe: Stripe,
  { id, url, status, enabled_events, api_version }: Stripe.WebhookEndpoint,
  say: Say,
) {
  const isRight =
    status === 'enabled' &&
    enabled_events.length === events.length &&
    events.every((event) => enabled_events.includes(event))
  if (!isRight)
    await stripe.webhookEndpoints.update(id, { enabled_events: [...events], disabled: false })
  say(`${isRight ? 'found' : 'updated'} endpoint ${id} for ${url}`)
  say(
    'its secret is the STRIPE_WEBHOOK_SECRET you have. Only the dashboard shows it, at the endpoint; roll it there to get another one',
  )
  if (api_version !== Stripe.API_VERSION)
    say(
      `its API version is ${api_version ?? "the account's own"} instead of ${Stripe.API_VERSION}, and can't be changed. Delete the endpoint and run this again`,
    )
}
