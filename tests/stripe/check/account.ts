import Stripe from 'stripe'
import type { NamedPrice } from '../../contracts/payments.ts'
import { readStripeAccount } from '../../../server/running/env.ts'
import { openStripePayments, serverAt } from '../../../server/providers/payments/stripe/stripe.ts'

const { secretKey, apiBase } = readStripeAccount(process.env)

/** The API that the check calls. */
export const asksAt = apiBase ?? 'https://api.stripe.com'

/** The requests since the last `takeRequests`, with the ids that Stripe's support asks for. */
const requests: string[] = []

async function recordingFetch(url: string | URL | Request, init?: RequestInit) {
  const answer = await fetch(url, init)
  const { pathname } = new URL(url instanceof Request ? url.url : url)
  requests.push(
    `${answer.headers.get('request-id') ?? 'no id'}: ${init?.method ?? 'GET'} ${pathname} ${answer.status}`,
  )
  return answer
}

export function takeRequests() {
  return requests.splice(0)
}

export const stripe = new Stripe(secretKey, {
  ...serverAt(apiBase),
  httpClient: Stripe.createFetchHttpClient(recordingFetch),
})

export const paymentsOf = (prices: readonly string[]) =>
  openStripePayments({
    secretKey,
    webhookSecret: 'whsec_of_nobody',
    prices,
    apiBase,
    fetch: recordingFetch,
  })

/** Prices of the check's own, by their lookup keys, so that any plans may be configured. */
export const cheap = weekly('stripe_check_cheap', 10_00)
export const dear = weekly('stripe_check_dear', 30_00)

export const payments = paymentsOf([cheap.priceId, dear.priceId])

function weekly(priceId: string, amount: number): NamedPrice {
  return { priceId, amount, currency: 'usd', frequency: 'week', every: 1 }
}
