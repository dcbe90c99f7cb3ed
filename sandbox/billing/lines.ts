import type Stripe from 'stripe'
import { perInterval } from '../objects/calendar.ts'
import { money } from '../objects/currency.ts'
import { newLine } from '../objects/invoice-line.ts'
import { unitAmountIn } from '../objects/price.ts'
import type { InvoiceLine, Product, SubscriptionItem } from '../objects/wire.ts'
import { requireObject } from '../store/objects.ts'
import type { Runner } from '../store/tx.ts'

type Period = Stripe.InvoiceLineItem.Period

/** One invoice line for each item, for a full period. */
export async function periodLines(
  runner: Runner,
  currency: string,
  items: SubscriptionItem[],
  period: Period,
): Promise<InvoiceLine[]> {
  const lines: InvoiceLine[] = []
  for (const item of items) {
    const { name } = await productOf(runner, item)
    const price = `${money(unitAmountIn(item.price, currency), currency)} ${perInterval(item.price.recurring)}`
    const description = `${item.quantity} × ${name} (at ${price})`
    const amount = amountOf(item, currency)
    lines.push(newLine(item, { currency, description, amount, period, proration: false }))
  }
  return lines
}

/** Invoice lines for the rest of the period: a credit for each old item, a charge for each new. */
export async function prorationLines(
  runner: Runner,
  currency: string,
  before: SubscriptionItem[],
  after: SubscriptionItem[],
  at: number,
): Promise<InvoiceLine[]> {
  const same = (one: SubscriptionItem) => (other: SubscriptionItem) =>
    other.id === one.id && other.price.id === one.price.id && other.quantity === one.quantity
  const gone = before.filter((item) => !after.some(same(item)))
  const come = after.filter((item) => !before.some(same(item)))
  const credits = gone.map((item) => prorated(runner, currency, item, at, -1))
  const debits = come.map((item) => prorated(runner, currency, item, at, 1))
  return Promise.all([...credits, ...debits])
}

async function prorated(
  runner: Runner,
  currency: string,
  item: SubscriptionItem,
  at: number,
  sign: 1 | -1,
): Promise<InvoiceLine> {
  const { current_period_start: start, current_period_end: end } = item
  const left = Math.min(end - start, Math.max(0, end - at))
  const { name } = await productOf(runner, item)
  const description = `${sign < 0 ? 'Unused' : 'Remaining'} time on ${name} after ${dayOf(at)}`
  // Multiplies before it divides: otherwise an inexact quotient could round half a cent down.
  const amount = sign * Math.round((amountOf(item, currency) * left) / (end - start))
  return newLine(item, {
    currency,
    description,
    amount: amount || 0,
    period: { start: at, end },
    proration: true,
  })
}

function dayOf(seconds: number): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(seconds * 1000)
}

function amountOf({ price, quantity }: SubscriptionItem, currency: string): number {
  return unitAmountIn(price, currency) * quantity
}

function productOf(runner: Runner, { price }: SubscriptionItem): Promise<Product> {
  return requireObject(runner, 'product', price.product)
}
