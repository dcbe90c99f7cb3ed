import type { Discount } from '#contract/entities.ts'
import type Stripe from 'stripe'
import type { Payments, PromotionId } from '../payments.ts'

/** What to expand where there are discounts. */
export const ofDiscounts = 'discounts.source.coupon'

export function promotions(stripe: Stripe) {
  return {
    async findPromotion(code) {
      // Of those with the same letters, one at most is active.
      const [found] = (await findByCode(code, true)) ?? (await findByCode(code, false)) ?? []
      if (!found) return undefined
      const coupon = couponOf(found.promotion)
      return {
        id: found.id as PromotionId,
        isActive: found.active,
        currencies: coupon?.percent_off === null ? await currenciesOf(stripe, coupon) : undefined,
      }
    },
  } satisfies Partial<Payments>

  async function findByCode(code: string, active: boolean) {
    const params = { code, active, limit: 1, expand: ['data.promotion.coupon'] }
    const { data } = await stripe.promotionCodes.list(params)
    return data.length > 0 ? data : undefined
  }
}

/** The first discount that lasts beyond a time. One for a single invoice doesn't last. */
export async function discountOf(
  stripe: Stripe,
  discounts: Discounted,
  { currency, at }: { currency: string; at: number },
): Promise<Discount | undefined> {
  for (const { source, end } of running(discounts, at)) {
    const coupon = couponOf(source)
    if (!coupon || coupon.duration === 'once') continue
    const percent = coupon.percent_off
    const amount = percent ?? (await amountsOf(stripe, coupon))[currency]
    if (amount === undefined) continue
    return { ...(percent === null ? { amount } : { percent }), until: end }
  }
  return undefined
}

/** Those that still take something off at a time. */
export function running(discounts: Discounted, at: number) {
  return discounts.filter(
    (discount): discount is Stripe.Discount =>
      typeof discount === 'object' && !discount.deleted && (discount.end ?? Infinity) > at,
  )
}

type NewCoupon = Omit<Parameters<Payments['setDiscount']>[0], 'providerSubscriptionId' | 'off'> & {
  off: { percent: number } | { amount: number }
  currency: string
}

/** A coupon for one project. */
export async function createCoupon(stripe: Stripe, { off, months, attempt, currency }: NewCoupon) {
  const params = {
    ...('percent' in off ? { percent_off: off.percent } : { amount_off: off.amount, currency }),
    ...(months === undefined
      ? { duration: 'forever' as const }
      : { duration: 'repeating' as const, duration_in_months: months }),
    max_redemptions: 1,
  }
  return (await stripe.coupons.create(params, { idempotencyKey: `${attempt}:coupon` })).id
}

type Discounted = readonly (string | Stripe.Discount | Stripe.DeletedDiscount)[]

function couponOf({ coupon }: Pick<Stripe.Discount.Source, 'coupon'>) {
  return typeof coupon === 'object' && coupon ? coupon : undefined
}

async function currenciesOf(stripe: Stripe, coupon: Stripe.Coupon) {
  return Object.keys(await amountsOf(stripe, coupon))
}

/** What a coupon takes off, by currency. Stripe gives more than one on request alone. */
async function amountsOf(stripe: Stripe, { id }: Stripe.Coupon): Promise<Record<string, number>> {
  const coupon = await stripe.coupons.retrieve(id, { expand: ['currency_options'] })
  const others = Object.entries(coupon.currency_options ?? {})
  return {
    ...Object.fromEntries(others.map(([code, { amount_off }]) => [code, amount_off])),
    ...(coupon.currency && { [coupon.currency]: coupon.amount_off! }),
  }
}
