import type Stripe from 'stripe'
import { perInterval } from '../objects/calendar.ts'
import { inWords } from '../objects/coupon.ts'
import { money } from '../objects/currency.ts'
import { newLine } from '../objects/invoice.ts'
import { unitAmountIn } from '../objects/price.ts'
import { periodOf, subtotalOf } from '../objects/subscription.ts'
import type { InvoiceLine, Product, Subscription, SubscriptionItem } from '../objects/wire.ts'
import { invoicesOf, requireObject } from '../store/objects.ts'
import type { Runner } from '../store/tx.ts'
import { discounted, discountsOf, idsOf, netOf, type Applied } from './discounts.ts'

type Period = Stripe.InvoiceLineItem.Period

/** One invoice line for each item, for a full period: this one, or else the item's own. */
export async function periodLines(
  runner: Runner,
  currency: string,
  items: SubscriptionItem[],
  period?: Period,
): Promise<InvoiceLine[]> {
  const lines: InvoiceLine[] = []
  for (const item of items) {
    const { name } = await productOf(runner, item)
    const price = `${money(unitAmountIn(item.price, currency), currency)} ${perInterval(item.price.recurring)}`
    const description = `${item.quantity} × ${name} (at ${price})`
    const line = { currency, description, period: period ?? ownPeriod(item), proration: false }
    lines.push(newLine(item, { ...line, amount: subtotalOf([item], currency) }))
  }
  return lines
}

/** The lines of a subscription's first invoice: for its trial, or else for its first period. */
export function firstLines(runner: Runner, subscription: Subscription): Promise<InvoiceLine[]> {
  const { currency, items, status } = subscription
  return status === 'trialing'
    ? trialLines(runner, currency, items.data)
    : periodLines(runner, currency, items.data, periodOf(subscription))
}

/** A line of nothing for each item of a trial. */
export async function trialLines(runner: Runner, currency: string, items: SubscriptionItem[]) {
  const lines: InvoiceLine[] = []
  for (const item of items) {
    const { name } = await productOf(runner, item)
    const period = ownPeriod(item)
    const description = `${freeTrial} for ${item.quantity} × ${name}`
    lines.push(newLine(item, { currency, description, amount: 0, period, proration: false }))
  }
  return lines
}

export const freeTrial = 'Free trial'

/** Invoice lines for the rest of the period: a credit for each old item, a charge for each new. */
export async function prorationLines(
  runner: Runner,
  subscription: Subscription,
  after: SubscriptionItem[],
  at: number,
  applied: Applied[],
): Promise<InvoiceLine[]> {
  const { currency } = subscription
  const before = subscription.items.data
  const gone = newIn(before, after)
  const come = new Set(newIn(after, before))
  const credits: InvoiceLine[] = []
  for (const item of gone)
    credits.push(
      await prorated(runner, item, await chargedBefore(runner, subscription, item), at, -1),
    )
  const debits: InvoiceLine[] = []
  const full = discounted(await periodLines(runner, currency, after), applied)
  for (const [index, item] of after.entries())
    if (come.has(item))
      debits.push(await prorated(runner, item, chargedBy(full[index]!, applied), at, 1))
  return [...credits, ...debits]
}

/** The items that are in `items` and not, as they are, in `others`. */
export function newIn(items: SubscriptionItem[], others: SubscriptionItem[]): SubscriptionItem[] {
  const same = (one: SubscriptionItem) => (other: SubscriptionItem) =>
    other.id === one.id && other.price.id === one.price.id && other.quantity === one.quantity
  return items.filter((item) => !others.some(same(item)))
}

/** The amount that was or will be charged for a span of time, and the discounts within. */
type Charged = { amount: number; currency: string; period: Period; applied: Applied[] }

function chargedBy(line: InvoiceLine, applied: Applied[]): Charged {
  return { amount: netOf(line), currency: line.currency, period: line.period, applied }
}

/** What the item was charged. Discounts count as they were then, not as they are now. */
async function chargedBefore(runner: Runner, subscription: Subscription, item: SubscriptionItem) {
  const lines = (await invoicesOf(runner, subscription.id))
    .filter(({ status }) => status !== 'void')
    .flatMap((invoice) => invoice.lines.data)
  const line = lines.find(
    ({ amount, parent, period, pricing }) =>
      amount > 0 &&
      period.end === item.current_period_end &&
      parent?.subscription_item_details?.subscription_item === item.id &&
      pricing.price_details?.price === item.price.id,
  )
  const ids = line && [...line.discounts, ...line.discount_amounts.map(({ discount }) => discount)]
  if (line && ids?.length) return chargedBy(line, await discountsOf(runner, ids))
  const [full] = await periodLines(runner, subscription.currency, [item])
  return chargedBy(full!, [])
}

async function prorated(
  runner: Runner,
  item: SubscriptionItem,
  { amount: charged, currency, period: { start, end }, applied }: Charged,
  at: number,
  sign: 1 | -1,
): Promise<InvoiceLine> {
  const left = Math.min(end - start, Math.max(0, end - at))
  const { name } = await productOf(runner, item)
  const off = applied.map(({ coupon }) => inWords(coupon, currency)).join(', ')
  const time = `${sign < 0 ? 'Unused' : 'Remaining'} time on ${name}`
  // Multiplies before it divides: otherwise an inexact quotient could round half a cent down.
  const amount = sign * Math.round((charged * left) / (end - start))
  return newLine(item, {
    currency,
    description: `${time}${off && ` (with ${off})`} after ${dayOf(at)}`,
    discounts: idsOf(applied),
    amount: amount || 0,
    period: { start: at, end },
    proration: true,
  })
}

function ownPeriod(item: SubscriptionItem): Period {
  return { start: item.current_period_start, end: item.current_period_end }
}

function dayOf(seconds: number): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(seconds * 1000)
}

function productOf(runner: Runner, { price }: SubscriptionItem): Promise<Product> {
  return requireObject(runner, 'product', price.product)
}
