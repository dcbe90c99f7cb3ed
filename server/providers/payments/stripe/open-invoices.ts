import type Stripe from 'stripe'
import { asked } from './asked.ts'

/** What is still to be paid of a plan, oldest first, with its payments. */
export async function listOpen(stripe: Stripe, planId: string) {
  const { data } = await asked(
    stripe.invoices.list({
      subscription: planId,
      status: 'open',
      limit: 100,
      expand: ['data.payments'],
    }),
  )
  return data.toReversed()
}
