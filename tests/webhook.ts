import Stripe from 'stripe'
import { webhookSecret, type World } from './world.ts'

const stripe = new Stripe('sk_test_of_the_tests')

/** The event as the provider would tell it, of an object that it has. */
export function event(id: string, type: string, object: { id: string; object: string }) {
  return JSON.stringify({ id, object: 'event', type, data: { object } })
}

export function sign(
  payload: string,
  { secret = webhookSecret, timestamp = Math.floor(Date.now() / 1000) } = {},
) {
  return stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

/** As the provider sends it. */
export function deliver(world: World, payload: string, signature = sign(payload)) {
  return world.request('/webhooks/stripe', {
    method: 'POST',
    headers: { 'stripe-signature': signature },
    body: payload,
  })
}
