import type Stripe from 'stripe'
import { asked } from './asked.ts'

/** The invoice of a week that has just begun and was not charged for yet: for an hour it is a draft. */
export async function unchargedWeek(stripe: Stripe, planId: string) {
  return draftOf(await asked(stripe.subscriptions.retrieve(planId, { expand: ['latest_invoice'] })))
}

export function draftOf({ latest_invoice: invoice }: Stripe.Subscription) {
  return typeof invoice === 'object' && invoice?.status === 'draft' ? invoice : undefined
}
