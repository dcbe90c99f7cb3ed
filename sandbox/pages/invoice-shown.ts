import { rateIn } from '../billing/tax.ts'
import { discountsOf } from '../billing/discounts.ts'
import { freeTrial } from '../billing/lines.ts'
import { howOften } from '../objects/calendar.ts'
import { inWords } from '../objects/coupon.ts'
import { money } from '../objects/currency.ts'
import type { Invoice, InvoiceLine } from '../objects/wire.ts'
import { findObject } from '../store/objects.ts'
import type { Runner } from '../store/tx.ts'
import { country, date, period } from './format.ts'

export type InvoiceShown = Awaited<ReturnType<typeof showInvoice>>

/** The texts of an invoice, for its page and its PDF. */
export async function showInvoice(runner: Runner, invoice: Invoice) {
  const number = invoice.number ?? ''
  const status = statusOf(invoice)
  const refunded = await refundedOf(runner, invoice)
  return {
    title: `Invoice ${number}`,
    merchant: invoice.account_name ?? '',
    status,
    total: money(invoice.total, invoice.currency),
    facts: {
      'Invoice number': number,
      ...Object.fromEntries((invoice.custom_fields ?? []).map(({ name, value }) => [name, value])),
      Date: date(invoice.created),
      Status: status.words,
    },
    seller: sellerOf(invoice),
    billedTo: linesTo(invoice),
    columns: ['Description', 'Quantity', 'Unit price', 'Amount'],
    rows: await Promise.all(invoice.lines.data.map((line) => showLine(runner, line))),
    sums: sumsOf(invoice, await discountsIn(runner, invoice), refunded),
    /** What the customer's settings say below every invoice. */
    note: invoice.footer ?? '',
    footer: 'Made by the payment sandbox: no money moves here.',
  }
}

function statusOf({ status, status_transitions: { paid_at, voided_at } }: Invoice) {
  if (status === 'paid')
    return { tone: 'good', words: paid_at ? `Paid on ${date(paid_at)}` : 'Paid' }
  if (status === 'void')
    return { tone: 'soft', words: voided_at ? `Void since ${date(voided_at)}` : 'Void' }
  if (status === 'open') return { tone: 'warn', words: 'Open' }
  if (status === 'uncollectible') return { tone: 'bad', words: 'Uncollectible' }
  return { tone: 'soft', words: 'Draft' }
}

/** What the account says about the merchant. */
function sellerOf({ account_name, account_country }: Invoice) {
  return [account_name, account_country && country(account_country)].filter(
    (line): line is string => Boolean(line),
  )
}

function linesTo({
  customer_name,
  customer_email,
  customer_address: at,
  customer_tax_ids,
}: Invoice): string[] {
  return [
    customer_name,
    at?.line1,
    at?.line2,
    [at?.postal_code, at?.city, at?.state].filter(Boolean).join(' '),
    at?.country && country(at.country),
    customer_email,
    // `eu_vat` is shown as `EU VAT`.
    ...(customer_tax_ids ?? []).map(
      ({ type, value }) => `${type.replaceAll('_', ' ').toUpperCase()} ${value}`,
    ),
  ].filter((line): line is string => Boolean(line))
}

async function showLine(runner: Runner, line: InvoiceLine) {
  const { amount, currency, description, parent, pricing, quantity } = line
  const product = await findObject(runner, pricing.price_details?.product ?? '')
  const plan = product?.object === 'product' ? product.name : (description ?? '')
  const price = await findObject(runner, pricing.price_details?.price as string)
  const interval = price?.object === 'price' ? `, ${howOften(price.recurring)}` : ''
  const isProration = parent?.subscription_item_details?.proration ?? false
  return {
    what: !isProration
      ? `${description?.startsWith(freeTrial) ? `${freeTrial}: ` : ''}${plan}${interval}`
      : `${amount < 0 ? 'Unused' : 'Remaining'} time on ${plan}`,
    when: period(line.period),
    quantity: String(quantity ?? 1),
    // A proration has no unit price.
    unitPrice: isProration ? '' : money(Number(pricing.unit_amount_decimal), currency),
    amount: money(amount, currency),
  }
}

/** The refunded amount of the payments for this invoice. */
async function refundedOf(runner: Runner, { payments }: Invoice): Promise<number> {
  const intents = payments.data.map(({ payment }) => payment.payment_intent)
  const { rows } = await runner.query<{ refunded: number }>(
    `select coalesce(sum((body->>'amount_refunded')::float8), 0) as refunded from sandbox.objects
     where type = 'charge' and body->>'payment_intent' = any($1)`,
    [intents],
  )
  return rows[0]?.refunded ?? 0
}

type Sum = [name: string, amount: number]

/** The subtotal and what each discount takes off it. Nothing without discounts. */
async function discountsIn(runner: Runner, invoice: Invoice): Promise<Sum[]> {
  const { currency, discounts, subtotal, total_discount_amounts: taken } = invoice
  const applied = await discountsOf(runner, discounts)
  const amounts = new Map(taken?.map(({ amount, discount }) => [discount, amount]))
  const sums = applied.map(({ discount, coupon }): Sum => {
    const off = inWords(coupon, currency)
    return [coupon.name ? `${coupon.name} (${off})` : off, -(amounts.get(discount.id) ?? 0)]
  })
  return sums.length ? [['Subtotal', subtotal], ...sums] : []
}

function sumsOf(
  { amount_due, amount_paid, currency, customer_address, status, total, total_taxes }: Invoice,
  discounts: Sum[],
  refunded: number,
) {
  const taxes = (total_taxes ?? []).filter(
    ({ taxability_reason }) => taxability_reason !== 'not_collecting',
  )
  const ofTaxes = taxes.map(({ amount, taxability_reason }): Sum => [
    taxability_reason === 'reverse_charge'
      ? 'Tax: reverse charge'
      : `Tax (${rateIn(customer_address)}%)`,
    amount,
  ])
  const sums = [...discounts, ...ofTaxes]
  sums.push(['Total', total])
  if (amount_due !== total) sums.push(['Applied balance', amount_due - total])
  sums.push(status === 'paid' ? ['Amount paid', amount_paid] : ['Amount due', amount_due])
  if (refunded) sums.push(['Refunded', refunded])
  return sums.map(([name, amount]) => ({ name, amount: money(amount, currency) }))
}
