import { missing, refused } from '../rules/errors.ts'
import { refusals } from '../rules/refusals.ts'
import { amountOffIn, couponNow, newDiscount, promotionCodeNow } from '../objects/coupon.ts'
import type {
  Coupon,
  Discount,
  PhaseDiscount,
  PromotionCode,
  Subscription,
} from '../objects/wire.ts'
import { change } from '../events/record.ts'
import { lockObject, objectsWhere, ofCustomer, requireObject, save } from '../store/objects.ts'
import type { Runner, Tx } from '../store/tx.ts'
import { discountsOf, type Applied } from './discounts.ts'

export type AskedDiscount = {
  coupon?: string | undefined
  discount?: string | undefined
  promotion_code?: string | undefined
}
/** Whom the discounts are for. `subtotal` is the price of a period before discounts. */
export type Buyer = Pick<Subscription, 'currency' | 'discounts'> & {
  customer: string
  subtotal: number
}

/** The discounts asked for: those of the subscription that are named, and new ones, not yet saved. */
export async function discountsAsked(
  runner: Runner,
  asked: AskedDiscount[],
  buyer: Buyer,
  now: number,
): Promise<Applied[]> {
  const found: Applied[] = []
  for (const [index, each] of asked.entries())
    found.push(await discountAsked(runner, each, buyer, now, `discounts[${index}]`))
  return found
}

async function discountAsked(
  runner: Runner,
  asked: AskedDiscount,
  buyer: Buyer,
  now: number,
  at: string,
): Promise<Applied> {
  const { discount: id, promotion_code } = asked
  if (id !== undefined) {
    if (!buyer.discounts.includes(id)) throw missing('discount', id, `${at}[discount]`)
    const [kept] = await discountsOf(runner, [id])
    return kept!
  }
  const param = promotion_code === undefined ? `${at}[coupon]` : `${at}[promotion_code]`
  const { code, coupon } = await couponOf(runner, asked, param)
  if (code) await refuseCode(runner, promotionCodeNow(code, now), buyer, param)
  refuseCoupon(coupon, buyer.currency, now, param)
  return unsaved(coupon, code, buyer.customer, now)
}

async function couponOf(
  runner: Runner,
  { coupon, promotion_code }: AskedDiscount | PhaseDiscount,
  param: string,
): Promise<{ code: PromotionCode | null; coupon: Coupon }> {
  if (!promotion_code)
    return { code: null, coupon: await requireObject(runner, 'coupon', coupon ?? '', param) }
  const code = await requireObject(runner, 'promotion_code', promotion_code, param)
  return { code, coupon: await requireObject(runner, 'coupon', code.promotion.coupon) }
}

function unsaved(coupon: Coupon, code: PromotionCode | null, customer: string, now: number) {
  const by = { customer, promotion_code: code?.id ?? null }
  return { discount: newDiscount(coupon, by, now), coupon }
}

function refuseCoupon(coupon: Coupon, currency: string, now: number, param: string) {
  if (amountOffIn(coupon, currency) === null)
    throw refused({ ...refusals.otherCurrency, param }, { currency })
  if ((coupon.redeem_by ?? Infinity) <= now)
    throw refused({ ...refusals.couponExpired, param }, { coupon: coupon.id })
  if (!couponNow(coupon, now).valid)
    throw refused({ ...refusals.couponUsedUp, param }, { coupon: coupon.id })
}

async function refuseCode(
  runner: Runner,
  { active, customer, restrictions }: PromotionCode,
  buyer: Buyer,
  param: string,
) {
  if (!active) throw refused({ ...refusals.codeInactive, param })
  if (customer && customer !== buyer.customer) throw refused({ ...refusals.codeOfAnother, param })
  const { first_time_transaction, minimum_amount, minimum_amount_currency } = restrictions
  const reaches =
    minimum_amount === null ||
    (minimum_amount_currency === buyer.currency && buyer.subtotal >= minimum_amount)
  if (!reaches) throw refused({ ...refusals.codeBelowMinimum, param })
  if (!first_time_transaction) return
  const invoices = await ofCustomer(runner, 'invoice', buyer.customer)
  if (invoices.some(({ status }) => status !== 'void'))
    throw refused({ ...refusals.codeNotFirst, param })
}

/** The discounts of a phase: for a coupon that the subscription already has, that discount. */
export async function discountsOfPhase(
  runner: Runner,
  { customer, discounts }: Subscription,
  asked: PhaseDiscount[],
  now: number,
): Promise<Applied[]> {
  const own = await discountsOf(runner, discounts)
  const found: Applied[] = []
  for (const each of asked) {
    const present = own.find(({ discount }) => isAsked(discount, each))
    if (present) found.push(present)
    if (present || each.discount) continue
    const { code, coupon } = await couponOf(runner, each, 'phases')
    found.push(unsaved(coupon, code, customer, now))
  }
  return found
}

/** Whether this is the discount that is asked for by its id, its promotion code or its coupon. */
export function isAsked(
  { id, promotion_code, source }: Discount,
  asked: AskedDiscount | PhaseDiscount,
): boolean {
  if (asked.discount) return id === asked.discount
  return asked.promotion_code
    ? promotion_code === asked.promotion_code
    : source.coupon === asked.coupon
}

/** Saves the discounts for the subscription. Those that it already has stay as they are. */
export async function saveDiscounts(tx: Tx, applied: Applied[], subscription: string | null) {
  for (const { discount } of applied)
    if (discount.subscription === null) await save(tx, { ...discount, subscription })
}

/** Saves and counts new discounts. Refuses those that another request has just used up. */
export async function redeem(tx: Tx, applied: Applied[], { id, discounts: had }: Redeemer) {
  await saveDiscounts(tx, applied, id)
  for (const [index, { discount }] of applied.entries()) {
    if (had.includes(discount.id)) continue
    const { coupon: couponId } = discount.source
    const coupon = await lockObject(tx, 'coupon', couponId)
    const at = `discounts[${index}]`
    if (!coupon.valid)
      throw refused({ ...refusals.couponUsedUp, param: `${at}[coupon]` }, { coupon: couponId })
    const code = discount.promotion_code
    if (code && !(await lockObject(tx, 'promotion_code', code)).active)
      throw refused({ ...refusals.codeInactive, param: `${at}[promotion_code]` })
  }
  await countRedemptions(tx, applied, had)
}

type Redeemer = Pick<Subscription, 'id' | 'discounts'>

/** Counts the redemption of discounts that the subscription did not have. */
export async function countRedemptions(tx: Tx, applied: Applied[], had: string[]) {
  for (const { discount } of applied.filter(({ discount: { id } }) => !had.includes(id))) {
    const coupon = await lockObject(tx, 'coupon', discount.source.coupon)
    const times_redeemed = coupon.times_redeemed + 1
    const valid = times_redeemed < (coupon.max_redemptions ?? Infinity)
    await save(tx, { ...coupon, times_redeemed, valid: coupon.valid && valid })
    if (!valid) await endCodes(tx, coupon.id)
    if (discount.promotion_code) await countCode(tx, discount.promotion_code)
  }
}

async function countCode(tx: Tx, id: string) {
  const code = await lockObject(tx, 'promotion_code', id)
  const times_redeemed = code.times_redeemed + 1
  const isLeft = times_redeemed < (code.max_redemptions ?? Infinity)
  const counted = { ...code, times_redeemed, active: code.active && isLeft }
  await change(tx, 'promotion_code.updated', code, counted)
}

/** A used-up coupon's promotion codes are no longer active. */
async function endCodes(tx: Tx, coupon: string) {
  const codes = await objectsWhere(tx, 'promotion_code', `body#>>'{promotion,coupon}' = $2`, [
    coupon,
  ])
  for (const code of codes)
    if (code.active) await change(tx, 'promotion_code.updated', code, { active: false })
}
