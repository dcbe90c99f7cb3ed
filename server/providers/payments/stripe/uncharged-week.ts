import type Stripe from 'stripe'
import { asked } from './asked.ts'

/** The invoice of a week that has just begun and was not charged for yet: for an hour it is a draft. */
export async function unchargedWeek(stripe: Stripe, planId: string) {
  const { latest_invoice: invoice } = await asked(stripe.subscriptions.retrieve(planId, { expand: ['latest_invoice'] }))
  return typeof invoice === 'object' && invoice?.status === 'draft' ? invoice : undefined
}
