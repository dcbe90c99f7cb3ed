import { amountOffIn } from '../objects/coupon.ts'
import { sumOf } from '../objects/invoice.ts'
import type { Coupon, Discount, InvoiceLine } from '../objects/wire.ts'
import { requireObject } from '../store/objects.ts'
import type { Runner } from '../store/tx.ts'

export type Applied = { discount: Discount; coupon: Coupon }

/** The discounts with these ids and their coupons, without those that have ended at this time. */
export async function discountsOf(runner: Runner, ids: string[], at = 0): Promise<Applied[]> {
  const applied: Applied[] = []
  for (const id of ids) {
    const discount = await requireObject(runner, 'discount', id)
    const coupon = await requireObject(runner, 'coupon', discount.source.coupon)
    applied.push({ discount, coupon })
  }
  return running(applied, at)
}

export function running(applied: Applied[], at: number): Applied[] {
  return applied.filter(({ discount: { end } }) => end === null || end > at)
}

/** Those that a subscription keeps once an invoice has used them. */
export function lasting(applied: Applied[]): Applied[] {
  return applied.filter(({ coupon }) => coupon.duration !== 'once')
}

export function idsOf(applied: Applied[]): string[] {
  return applied.map(({ discount }) => discount.id)
}

/** The lines with what each discount takes off them. Prorations already contain their discounts. */
export function discounted(lines: InvoiceLine[], applied: Applied[]): InvoiceLine[] {
  return applied.reduce(withDiscount, lines)
}

function withDiscount(lines: InvoiceLine[], { discount: { id }, coupon }: Applied): InvoiceLine[] {
  const bases = lines.map((line) => (line.discountable ? Math.max(0, netOf(line)) : 0))
  const base = sumOf(bases)
  const off = amountOffIn(coupon, lines[0]?.currency ?? '')
  const total = Math.min(base, off ?? Math.round((base * (coupon.percent_off ?? 0)) / 100))
  const shares = bases.map((each) => (base ? Math.floor((total * each) / base) : 0))
  let left = total - sumOf(shares)
  return lines.map((line, index) => {
    const isShort = left > 0 && shares[index]! < bases[index]!
    if (isShort) left -= 1
    const taken = { amount: shares[index]! + (isShort ? 1 : 0), discount: id }
    return {
      ...line,
      discount_amounts: [...line.discount_amounts, taken],
      pretax_credit_amounts: [...line.pretax_credit_amounts, { ...taken, type: 'discount' }],
    }
  })
}

/** The amount of the line after its discounts. */
export function netOf({ amount, discount_amounts }: InvoiceLine): number {
  return amount - sumOf(discount_amounts.map((each) => each.amount))
}
