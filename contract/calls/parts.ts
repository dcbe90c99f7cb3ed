import * as z from 'zod/mini'
import { field, id, price, promotionCode, trial } from '../fields.ts'

// What calls of several areas have in common.

/** What somebody wants to pay for. */
export const wish = { planId: field('The plan.', id), price, trial, promotionCode }
export const ofPurchase = [
  'planNotFound',
  'planNotAvailable',
  'priceNotSold',
  'trialUsed',
  'tooManyProjects',
  'promotionUnknown',
  'promotionEnded',
  'promotionUsed',
  'promotionOtherCurrency',
  'promotionNotForChange',
]
export const ofBillingInfo = [
  'billingInfoRequired',
  'billingInfoNotWanted',
  'paymentMethodRequired',
]
/** The server keeps a secret for an Idempotency-Key, sealed, because it opens only this payment. */
export const challenge = {
  clientSecret: field(
    'If the bank asks the buyer to confirm, the secret that the payment provider needs for that. `completePayment` comes after it.',
    z.optional(z.string()),
  ),
  processing: field('Whether the bank is still working on the payment.', z.optional(z.boolean())),
}
export const ofInvite = ['inviteNotFound', 'inviteNotPending', 'inviteExpired']
export const inviteId = field('The id of the invitation.', id)
export const isTrue = z.optional(z.literal(true))
