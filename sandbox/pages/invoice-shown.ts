import { rateIn } from '../billing/tax.ts'
import type { Invoice, InvoiceLine } from '../objects/wire.ts'
import { lookUp } from '../store/objects.ts'
import type { Runner } from '../store/tx.ts'
import type { Reader } from './reader.ts'

/** What an invoice says, in words: the same on its page and in its PDF. */
export type InvoiceShown = {
  title: string
  heading: string
  merchant: string
  status: { words: string; tone: string }
  total: string
  facts: [name: string, value: string][]
  billedTo: { title: string; lines: string[] }
  lines: {
    title: string
    columns: string[]
    rows: { what: string; when: string; quantity: string; unitPrice: string; amount: string }[]
  }
  sums: [name: string, amount: string][]
  footer: string
}

export async function showInvoice(
  runner: Runner,
  invoice: Invoice,
  reader: Reader,
): Promise<InvoiceShown> {
  const { t, money, date } = reader
  const number = invoice.number ?? ''
  const status = statusOf(invoice, reader)
  return {
    title: t('sandbox.invoice.title', { number }),
    heading: t('sandbox.invoice.heading'),
    merchant: invoice.account_name ?? '',
    status,
    total: money(invoice.total, invoice.currency),
    facts: [
      [t('sandbox.invoice.number'), number],
      [t('sandbox.invoice.date'), date(invoice.created)],
      [t('sandbox.invoice.status'), status.words],
    ],
    billedTo: { title: t('sandbox.invoice.billedTo'), lines: linesTo(invoice, reader) },
    lines: {
      title: t('sandbox.invoice.lines'),
      columns: [
        t('sandbox.invoice.description'),
        t('sandbox.invoice.quantity'),
        t('sandbox.invoice.unitPrice'),
        t('sandbox.invoice.amount'),
      ],
      rows: await Promise.all(invoice.lines.data.map((line) => showLine(runner, line, reader))),
    },
    sums: sumsOf(invoice, await refundedOf(runner, invoice), reader),
    footer: t('sandbox.invoice.noMoney'),
  }
}

function statusOf(
  { status, status_transitions: { paid_at, voided_at } }: Invoice,
  { t, date }: Reader,
) {
  if (status === 'paid')
    return {
      tone: 'good',
      words: paid_at
        ? t('sandbox.invoice.paidOn', { date: date(paid_at) })
        : t('sandbox.invoice.paid'),
    }
  if (status === 'void')
    return {
      tone: 'soft',
      words: voided_at
        ? t('sandbox.invoice.voidSince', { date: date(voided_at) })
        : t('sandbox.invoice.void'),
    }
  if (status === 'open') return { tone: 'warn', words: t('sandbox.invoice.open') }
  if (status === 'uncollectible') return { tone: 'bad', words: t('sandbox.invoice.uncollectible') }
  return { tone: 'soft', words: t('sandbox.invoice.draft') }
}

function linesTo(
  { customer_name, customer_email, customer_address: at, customer_tax_ids }: Invoice,
  { country }: Reader,
): string[] {
  const town = [at?.postal_code, at?.city, at?.state].filter(Boolean).join(' ')
  const taxIds = (customer_tax_ids ?? []).map(({ type, value }) => `${spoken(type)} ${value}`)
  const lines = [
    customer_name,
    at?.line1,
    at?.line2,
    town,
    at?.country && country(at.country),
    customer_email,
    ...taxIds,
  ]
  return lines.filter((line): line is string => Boolean(line))
}

/** `eu_vat` as `EU VAT`. */
function spoken(type: string): string {
  return type.replaceAll('_', ' ').toUpperCase()
}

/** What is given back or asked for in between has no price of its own. */
async function showLine(runner: Runner, line: InvoiceLine, { t, money, number, period }: Reader) {
  const { amount, currency, description, parent, pricing, quantity } = line
  const product = await lookUp(runner, pricing.price_details?.product ?? '')
  const plan = product?.object === 'product' ? product.name : (description ?? '')
  const isProration = parent?.subscription_item_details?.proration ?? false
  const what = isProration ? (amount < 0 ? 'unused' : 'remaining') : 'week'
  return {
    what: t(`sandbox.invoice.${what}`, { plan }),
    when: period(line.period),
    quantity: number(quantity ?? 1),
    unitPrice: isProration ? '' : money(Number(pricing.unit_amount_decimal), currency),
    amount: money(amount, currency),
  }
}

/** What went back of the payments that paid it. */
async function refundedOf(runner: Runner, { payments }: Invoice): Promise<number> {
  const intents = payments.data.map(({ payment }) => payment.payment_intent)
  const { rows } = await runner.query<{ back: number }>(
    `select coalesce(sum((body->>'amount_refunded')::float8), 0) as back from sandbox.objects
     where type = 'charge' and body->>'payment_intent' = any($1)`,
    [intents],
  )
  return rows[0]?.back ?? 0
}

function sumsOf(
  { amount_due, amount_paid, currency, customer_address, status, total, total_taxes }: Invoice,
  refunded: number,
  { t, money, percent }: Reader,
): [string, string][] {
  const credit = amount_due - total
  const taxes = (total_taxes ?? []).filter(
    ({ taxability_reason }) => taxability_reason !== 'not_collecting',
  )
  return [
    ...taxes.map(({ amount, taxability_reason: why }): [string, string] => [
      why === 'reverse_charge'
        ? t('sandbox.invoice.reverseCharge')
        : t('sandbox.invoice.tax', { rate: percent(rateIn(customer_address)) }),
      money(amount, currency),
    ]),
    [t('sandbox.invoice.total'), money(total, currency)],
    ...(credit
      ? [[t('sandbox.invoice.appliedBalance'), money(credit, currency)] as [string, string]]
      : []),
    status === 'paid'
      ? [t('sandbox.invoice.amountPaid'), money(amount_paid, currency)]
      : [t('sandbox.invoice.amountDue'), money(amount_due, currency)],
    ...(refunded
      ? [[t('sandbox.invoice.refunded'), money(refunded, currency)] as [string, string]]
      : []),
  ]
}
