import { brandName } from '#contract/card-brands.ts'
import type { PaymentMethod } from '#contract/entities.ts'

export type Card = PaymentMethod['card']

/** The default payment method, which pays for the plan. Undefined until the methods are loaded. */
export function defaultOf(data: { paymentMethods: PaymentMethod[] } | undefined) {
  return data?.paymentMethods.find(({ isDefault }) => isDefault)
}

/** `Visa •••• 4242`. The digits stay beside their dots. */
export function cardName(card: Pick<Card, 'brand' | 'last4'>) {
  return `${brandName(card.brand)} ••••\u00A0${card.last4}`
}

/** Two-digit month and year: `04/31`. */
export function expiry({ exp_month, exp_year }: Card) {
  return `${String(exp_month).padStart(2, '0')}/${String(exp_year % 100).padStart(2, '0')}`
}

/** A card is valid until its last month ends. `short` means this month or the next one. */
export function lifeOf({ exp_month, exp_year }: Card) {
  const now = new Date()
  const months = exp_year * 12 + exp_month - (now.getFullYear() * 12 + now.getMonth() + 1)
  if (months < 0) return 'over'
  return months <= 1 ? 'short' : 'long'
}
