import { money } from './currency.ts'
import { newId, newObject, nulls } from './new-object.ts'
import { periodsAfter } from './calendar.ts'
import type { With, Coupon, Discount, PromotionCode } from './wire.ts'

type NewCoupon = Partial<Coupon> & Pick<Coupon, 'duration' | 'id'>

export function newCoupon(given: NewCoupon, now: number): Coupon {
  return {
    object: 'coupon',
    ...nulls('amount_off currency duration_in_months max_redemptions name percent_off redeem_by'),
    created: now,
    livemode: false,
    metadata: {},
    times_redeemed: 0,
    valid: true,
    ...given,
  }
}

type NewPromotionCode = Pick<PromotionCode, 'code' | 'promotion'> &
  Partial<With<PromotionCode, { restrictions: Partial<PromotionCode['restrictions']> }>>

export function newPromotionCode(
  { restrictions, ...given }: NewPromotionCode,
  now: number,
): PromotionCode {
  return {
    ...newObject('promotion_code', 'promo', now),
    ...nulls('customer customer_account expires_at max_redemptions'),
    active: true,
    metadata: {},
    restrictions: {
      first_time_transaction: false,
      minimum_amount: null,
      minimum_amount_currency: null,
      ...restrictions,
    },
    times_redeemed: 0,
    ...given,
  }
}

/** A coupon that is redeemed for a customer, by a promotion code if there is one. */
export function newDiscount(
  { id: coupon, duration_in_months: months }: Coupon,
  { customer, promotion_code }: Pick<Discount, 'customer' | 'promotion_code'>,
  start: number,
): Discount {
  const month = { interval: 'month', interval_count: 1 } as const
  return {
    id: newId('di'),
    object: 'discount',
    ...nulls(
      'checkout_session customer_account invoice invoice_item subscription subscription_item',
    ),
    customer,
    end: months === null ? null : periodsAfter(start, month, months),
    promotion_code,
    source: { coupon, type: 'coupon' },
    start,
  }
}

/** The coupon as it is at this time: past its date, it is no longer valid. */
export function couponNow(coupon: Coupon, now: number): Coupon {
  return { ...coupon, valid: coupon.valid && (coupon.redeem_by ?? Infinity) > now }
}

/** The promotion code as it is at this time: past its date or its coupon's, it is not active. */
export function promotionCodeNow(code: PromotionCode, now: number): PromotionCode {
  return { ...code, active: code.active && (code.$hidden?.until ?? Infinity) > now }
}

/** What the coupon takes off in this currency; undefined if it takes off a percentage. */
export function amountOffIn(coupon: Coupon, currency: string): number | null | undefined {
  if (coupon.percent_off !== null) return undefined
  if (coupon.currency === currency) return coupon.amount_off
  return coupon.currency_options?.[currency]?.amount_off ?? null
}

/** `10.0% off`, `$5.00 off`. */
export function inWords(coupon: Coupon, currency: string): string {
  const { percent_off } = coupon
  if (percent_off === null) return `${money(amountOffIn(coupon, currency) ?? 0, currency)} off`
  return `${Number.isInteger(percent_off) ? percent_off.toFixed(1) : percent_off}% off`
}
