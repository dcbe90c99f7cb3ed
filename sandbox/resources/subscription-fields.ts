import { z } from 'zod'
import { invalid, refused } from '../rules/errors.ts'
import { refusals } from '../rules/refusals.ts'
import { clearable, flag, list, metadata, text, whole } from '../api/params.ts'
import { noTax, type PaymentSettings } from '../objects/subscription.ts'
import type { Subscription } from '../objects/wire.ts'
import { anchorMoves } from '../rules/limits.ts'
import { otherFields } from './other-methods.ts'

export const quantity = whole.pipe(z.number().min(1).max(1_000_000))
export const itemFields = {
  metadata,
  price: text.optional(),
  quantity: quantity.optional(),
}
export const changedItemFields = z.strictObject({
  ...itemFields,
  id: text.optional(),
  deleted: flag.optional(),
})
export const billingCycleAnchor = z
  .strictObject({ type: z.enum([anchorMoves.type, 'unchanged']) })
  .optional()
export const prorationBehavior = z.enum(['always_invoice', 'create_prorations', 'none']).optional()

export const discounts = clearable(
  list(
    z.strictObject({
      coupon: text.optional(),
      discount: text.optional(),
      promotion_code: text.optional(),
    }),
  ),
).optional()

export const automaticTax = z
  .strictObject({
    enabled: flag,
    liability: z.strictObject({ type: z.literal('self') }).optional(),
  })
  .optional()

export const trialEnd = z.union([z.literal('now'), whole]).optional()
const endBehavior = z.strictObject({
  billing_cycle_anchor: z.literal('now').optional(),
  missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']),
})

export const settingsFields = {
  automatic_tax: automaticTax,
  cancel_at_period_end: flag.optional(),
  default_payment_method: clearable(text).optional(),
  description: clearable(text).optional(),
  discounts,
  metadata,
  off_session: flag.optional(),
  trial_end: trialEnd,
  trial_settings: z.strictObject({ end_behavior: endBehavior }).optional(),
  payment_settings: z
    .strictObject({
      payment_method_types: clearable(list(otherFields.type)).optional(),
      save_default_payment_method: z.enum(['off', 'on_subscription']).optional(),
    })
    .optional(),
}

export function paymentSettings(
  given: z.output<typeof settingsFields.payment_settings>,
  before: PaymentSettings | null,
): PaymentSettings {
  return {
    payment_method_options: null,
    payment_method_types:
      given?.payment_method_types === undefined
        ? (before?.payment_method_types ?? null)
        : given.payment_method_types,
    save_default_payment_method:
      given?.save_default_payment_method ?? before?.save_default_payment_method ?? 'off',
  }
}

export function trialSettingsOf(
  given: z.output<typeof settingsFields.trial_settings>,
  before: Subscription['trial_settings'] = null,
): Subscription['trial_settings'] {
  const missing_payment_method =
    given?.end_behavior.missing_payment_method ??
    before?.end_behavior.missing_payment_method ??
    'create_invoice'
  return { end_behavior: { billing_cycle_anchor: 'now', missing_payment_method } }
}

/** The time at which a trial ends, if one is asked for. Refuses a time in the past. */
export function trialEndOf(trial_end: z.output<typeof trialEnd>, now: number): number | undefined {
  if (trial_end === undefined || trial_end === 'now') return undefined
  refusePast('trial_end', trial_end, now)
  return trial_end
}

/** The error for an amount to charge without a payment method to charge it to. */
export function nothingToPayWith() {
  const message =
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.'
  return invalid(message, { code: 'resource_missing' })
}

export function refusePast(param: string, time: number | undefined, now: number) {
  if (time === undefined || time > now) return
  throw refused({ ...refusals.inThePast, param }, { param, value: String(time) })
}

export function automaticTaxOf(
  given: z.output<typeof automaticTax>,
  before: Subscription['automatic_tax'] = noTax,
): Subscription['automatic_tax'] {
  if (!given) return before
  return given.enabled ? { ...noTax, enabled: true, liability: { type: 'self' } } : noTax
}

/** Refuses prorations for the next invoice, because the sandbox can only invoice them at once. */
export function refuseWaitingProrations(
  behavior: string | undefined,
  param = 'proration_behavior',
) {
  if (behavior === 'always_invoice' || behavior === 'none') return
  throw invalid(
    `This sandbox invoices prorations at once or not at all: give ${param} as always_invoice or none.`,
    { param },
  )
}
