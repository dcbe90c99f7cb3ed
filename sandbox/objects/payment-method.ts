import { hash } from 'node:crypto'
import type Stripe from 'stripe'
import { newObject, nulls } from './new-object.ts'
import type { PaymentMethod } from './wire.ts'

export type CardGiven = {
  number: string
  brand: string
  funding?: 'credit' | 'debit' | 'prepaid' | undefined
  exp_month: number
  exp_year: number
  cvc: string | null
}
export type BillingDetails = Stripe.PaymentMethod.BillingDetails

/** The payment methods that are allowed by default, as if set in Stripe's dashboard. */
export const everyMethod = ['card', 'link', 'us_bank_account']

export const noDetails: BillingDetails = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  ...nulls('email name phone tax_id'),
}

export function newPaymentMethod(
  card: CardGiven,
  billing: BillingDetails,
  metadata: Stripe.Metadata,
  now: number,
): PaymentMethod {
  return {
    ...newObject('payment_method', 'pm', now),
    allow_redisplay: 'unspecified',
    billing_details: billing,
    card: cardOf(card, billing),
    customer: null,
    customer_account: null,
    metadata,
    type: 'card',
    $hidden: { number: card.number, authenticated: false },
  }
}

function cardOf(
  { number, brand, funding = 'credit', exp_month, exp_year, cvc }: CardGiven,
  { address }: BillingDetails,
): Stripe.PaymentMethod.Card {
  return {
    brand,
    checks: {
      address_line1_check: address?.line1 ? 'unchecked' : null,
      address_postal_code_check: address?.postal_code ? 'unchecked' : null,
      cvc_check: cvc ? 'unchecked' : null,
    },
    country: 'US',
    display_brand: brand,
    exp_month,
    exp_year,
    fingerprint: hash('sha256', `sandbox card ${number}`).slice(0, 16),
    funding,
    generated_from: null,
    last4: number.slice(-4),
    networks: { available: [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  }
}
