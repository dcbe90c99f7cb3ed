import { z } from 'zod'
import { refused } from '../rules/errors.ts'
import { refusals } from '../rules/refusals.ts'
import { reading } from '../api/pages.ts'
import { currency, decimal, mergedMetadata, metadata, text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { publish } from '../events/record.ts'
import { newCoupon } from '../objects/coupon.ts'
import { randomLetters } from '../objects/new-object.ts'
import { findObject } from '../store/objects.ts'
import { refusePast } from './subscription-fields.ts'

const positive = whole.pipe(z.number().min(1))
const fields = {
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
type Input = z.output<z.ZodObject<typeof fields>>

export const coupons = [
  route('POST', '/coupons', fields, async ({ tx, input }) => {
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
