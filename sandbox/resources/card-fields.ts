import type Stripe from 'stripe'
import { z } from 'zod'
import { checkedCard } from '../cards/check-card.ts'
import { address, clearable, text, whole } from '../api/params.ts'
import { mergedAddress } from '../objects/customer.ts'
import { newPaymentMethod, noDetails, type BillingDetails } from '../objects/payment-method.ts'
import type { PaymentMethod } from '../objects/wire.ts'
import { save } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

const optionalText = clearable(text).optional()
const billing = z.strictObject({
  address: clearable(address).optional(),
  email: optionalText,
  name: optionalText,
  phone: optionalText,
  tax_id: optionalText,
})

/** A card's number and expiry, and its billing details. */
export const cardFields = {
  type: z.literal('card'),
  card: z.strictObject({ number: text, exp_month: whole, exp_year: whole, cvc: text.optional() }),
  billing_details: billing.optional(),
  allow_redisplay: z.enum(['always', 'limited', 'unspecified']).optional(),
}
type CardInput = z.output<z.ZodObject<typeof cardFields>>

export async function newCard(
  tx: Tx,
  { card, billing_details, allow_redisplay = 'unspecified' }: CardInput,
  metadata: Stripe.Metadata,
): Promise<PaymentMethod> {
  const made = newPaymentMethod(
    checkedCard(card, tx.now),
    billingOf(billing_details ?? {}, noDetails),
    metadata,
    tx.now,
  )
  return save(tx, { ...made, allow_redisplay })
}

export function billingOf(
  { address: where, ...given }: z.output<typeof billing>,
  before: BillingDetails,
): BillingDetails {
  const {
    email = before.email,
    name = before.name,
    phone = before.phone,
    tax_id = before.tax_id,
  } = given
  return {
    address: where ? mergedAddress(before.address, where) : before.address,
    email,
    name,
    phone,
    tax_id,
  }
}
