import Stripe from 'stripe'
import { pricedPlans } from '../../../server/priced-plans.ts'
import { readStripeAccount } from '../../../server/env.ts'
import { openStripePayments } from '../../../server/providers/payments/stripe/stripe.ts'
import { serverAt } from '../../../server/providers/payments/stripe/server-at.ts'

const { secretKey, apiBase } = readStripeAccount(process.env)

/** Where the check asks. */
export const asksAt = apiBase ?? 'https://api.stripe.com'

/** Stripe's ids of the requests that were refused, since they were last taken. */
const refused: string[] = []

/** The provider's own address for what it logged of a request: the only thing of a failure that its support can use. */
async function recordingFetch(...asked: Parameters<typeof fetch>) {
  const answer = await fetch(...asked)
  const id = answer.headers.get('request-id')
  if (!answer.ok && id) refused.push(`${id} (${answer.status})`)
  return answer
}

export function takeRefused() {
  return refused.splice(0)
}

export const stripe = new Stripe(secretKey, { ...serverAt(apiBase), httpClient: Stripe.createFetchHttpClient(recordingFetch) })

export const payments = openStripePayments({
  secretKey,
  webhookSecret: 'whsec_of_nobody',
  prices: pricedPlans.flatMap(({ priceIds }) => priceIds),
  apiBase,
  fetch: recordingFetch,
})

export const [cheap, dear] = pricedPlans
  .filter(({ legacy }) => !legacy)
  .toSorted((a, b) => a.unitAmount - b.unitAmount)
  .map(({ priceIds, unitAmount }) => ({ priceId: priceIds[0]!, amount: unitAmount })) as [WeeklyPrice, WeeklyPrice]

type WeeklyPrice = { priceId: string; amount: number }
