import { z } from 'zod'
import { refused } from '../rules/errors.ts'
import { refusals } from '../rules/refusals.ts'
import { reading } from '../api/pages.ts'
import { currency, flag, mergedMetadata, metadata, text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { change, publish } from '../events/record.ts'
import { newPromotionCode } from '../objects/coupon.ts'
import { day } from '../objects/due-at.ts'
import { randomLetters } from '../objects/new-object.ts'
import { lockObject, objectsWhere, requireObject } from '../store/objects.ts'
import { refusePast } from './subscription-fields.ts'

const positive = whole.pipe(z.number().min(1))
const path = '/promotion_codes'
const type = 'promotion_code'
const fields = {
  active: flag.optional(),
  code: text.optional(),
  customer: text.optional(),
  expires_at: whole.optional(),
  max_redemptions: positive.optional(),
  metadata,
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
  route('POST', path, fields, async ({ tx, input }) => {
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
    const same = await objectsWhere(tx, type, isSame, [code])
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
  ...reading(type, path, {
    active: { of: flag, where: (active, { now }) => `${isActive(now)} = ${active}` },
    code: { of: text, where: hasCode },
    coupon: { of: text, where: (coupon) => `body#>>'{promotion,coupon}' = ${coupon}` },
    customer: text,
  }),
  route('POST', `${path}/:id`, { active: flag.optional(), metadata }, async ({ tx, id, input }) => {
    const code = await lockObject(tx, type, id)
    return change(tx, 'promotion_code.updated', code, {
      active: input.active ?? code.active,
      metadata: mergedMetadata(code.metadata, input.metadata),
    })
  }),
]

function randomCode(): string {
  return randomLetters(8).toUpperCase()
}
