import { z } from 'zod'
import { refused } from '../rules/errors.ts'
import { refusals } from '../rules/refusals.ts'
import { reading } from '../api/pages.ts'
import { currency, decimal, flag, mergedMetadata, metadata, text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { change, publish } from '../events/record.ts'
import { newCoupon, newPromotionCode } from '../objects/coupon.ts'
import { day } from '../objects/due-at.ts'
import { randomLetters } from '../objects/new-object.ts'
import { findObject, lockObject, objectsWhere, requireObject } from '../store/objects.ts'
import { refusePast } from './subscription-fields.ts'

const positive = whole.pipe(z.number().min(1))
const couponFields = {
  amount_off: positive.optional(),
  currency: currency.optional(),
  currency_options: z.record(currency, z.strictObject({ amount_off: positive })).optional(),
  duration: z.enum(['forever', 'once', 'repeating']).optional(),
  duration_in_months: positive.optional(),
  id: text.optional(),
  max_redemptions: positive.optional(),
  metadata,
  name: text.optional(),
  percent_off: decimal.pipe(z.number().max(100)).optional(),
  redeem_by: whole.optional(),
}
type Input = z.output<z.ZodObject<typeof couponFields>>

export const coupons = [
  route('POST', '/coupons', couponFields, async ({ tx, input }) => {
    refuseUnclear(input, tx.now)
    const { id = randomLetters(8), currency: own, currency_options, ...given } = input
    if (await findObject(tx, id)) throw refused(refusals.couponExists)
    const { amount_off, duration = 'once' } = given
    const amounts =
      amount_off && own
        ? { currency: own, currency_options: { [own]: { amount_off }, ...currency_options } }
        : {}
    const notes = mergedMetadata({}, given.metadata)
    const coupon = { ...given, ...amounts, id, duration, metadata: notes }
    return publish(tx, 'coupon.created', newCoupon(coupon, tx.now))
  }),
  ...reading('coupon', '/coupons'),
]

function refuseUnclear(input: Input, now: number) {
  const { amount_off, currency_options, duration, percent_off, redeem_by } = input
  if (amount_off === undefined && percent_off === undefined)
    throw refused(refusals.couponWithoutAmount)
  if (amount_off !== undefined && percent_off !== undefined) throw refused(refusals.couponWithBoth)
  if (amount_off !== undefined && !input.currency) throw refused(refusals.couponWithoutCurrency)
  if ((duration === 'repeating') !== (input.duration_in_months !== undefined))
    throw refused(refusals.couponWithoutMonths)
  if (percent_off !== undefined && percent_off < 0.01)
    throw refused(refusals.couponPercentTooLow, { value: percent_off.toFixed(1) })
  if (percent_off !== undefined && currency_options)
    throw refused(refusals.couponPercentInCurrencies)
  refusePast('redeem_by', redeem_by, now)
}

const codeChanges = { active: flag.optional(), metadata }
const codeFields = {
  ...codeChanges,
  code: text.optional(),
  customer: text.optional(),
  expires_at: whole.optional(),
  max_redemptions: positive.optional(),
  promotion: z.strictObject({ coupon: text.optional(), type: z.literal('coupon') }),
  restrictions: z
    .strictObject({
      first_time_transaction: flag.optional(),
      minimum_amount: positive.optional(),
      minimum_amount_currency: currency.optional(),
    })
    .optional(),
}
const isActive = (now: number) =>
  `((body->>'active')::boolean and coalesce((body#>>'{$hidden,until}')::bigint > ${now}, true))`
const hasCode = (code: string) => `lower(body->>'code') = lower(${code})`

export const promotionCodes = [
  route('POST', '/promotion_codes', codeFields, async ({ tx, input }) => {
    const { code = randomCode(), customer, expires_at, ...others } = input
    const { coupon: couponId } = others.promotion
    if (!couponId) throw refused(refusals.codeWithoutCoupon)
    const coupon = await requireObject(tx, 'coupon', couponId, 'promotion[coupon]')
    if (!/^[\w-]+$/.test(code)) throw refused(refusals.codeCharacters, { value: code })
    refusePast('expires_at', expires_at, tx.now)
    if (expires_at && expires_at > tx.now + 5 * 365.25 * day)
      throw refused({ ...refusals.inFarFuture, param: 'expires_at' })
    if (customer) await requireObject(tx, 'customer', customer, 'customer')
    const isSame = `${isActive(tx.now)} and ${hasCode('$2')}`
    const same = await objectsWhere(tx, 'promotion_code', isSame, [code])
    if (others.active !== false && same.length) throw refused(refusals.codeExists, { value: code })
    const ends = [expires_at, coupon.redeem_by].filter((time) => typeof time === 'number')
    const given = {
      ...input,
      $hidden: { until: ends.length ? Math.min(...ends) : null },
      code,
      metadata: mergedMetadata({}, input.metadata),
      promotion: { coupon: coupon.id, type: 'coupon' as const },
    }
    return publish(tx, 'promotion_code.created', newPromotionCode(given, tx.now))
  }),
  ...reading('promotion_code', '/promotion_codes', {
    active: { of: flag, where: (active, { now }) => `${isActive(now)} = ${active}` },
    code: { of: text, where: hasCode },
    coupon: { of: text, where: (coupon) => `body#>>'{promotion,coupon}' = ${coupon}` },
    customer: text,
  }),
  route('POST', '/promotion_codes/:id', codeChanges, async ({ tx, id, input }) => {
    const code = await lockObject(tx, 'promotion_code', id)
    return change(tx, 'promotion_code.updated', code, {
      active: input.active ?? code.active,
      metadata: mergedMetadata(code.metadata, input.metadata),
    })
  }),
]

function randomCode(): string {
  return randomLetters(8).toUpperCase()
}
