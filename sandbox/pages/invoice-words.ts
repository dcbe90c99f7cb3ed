import { dayOf } from '../billing/lines.ts'
import type { Invoice } from '../objects/wire.ts'

export function totals(invoice: Invoice): [string, number][] {
  const credit = invoice.amount_due - invoice.total
  return [
    ['Total', invoice.total],
    ...(credit ? [['Applied balance', credit] as [string, number]] : []),
    ['Amount due', invoice.amount_due],
  ]
}

export function toLines({ customer_name, customer_email, customer_address: at, customer_tax_ids }: Invoice): string[] {
  const town = [at?.postal_code, at?.city, at?.state].filter(Boolean).join(' ')
  const taxIds = (customer_tax_ids ?? []).map(({ type, value }) => `${spoken(type)} ${value}`)
  const lines = [customer_name, customer_email, at?.line1, at?.line2, town, at?.country, ...taxIds]
  return lines.filter((line): line is string => Boolean(line))
}

/** `eu_vat` as `EU VAT`. */
function spoken(type: string): string {
  return type.replaceAll('_', ' ').toUpperCase()
}

export function statusWords({ status, status_transitions: { paid_at, voided_at } }: Invoice): string {
  if (status === 'paid') return `Paid${paid_at ? ` on ${dayOf(paid_at)}` : ''}`
  if (status === 'void') return `Void${voided_at ? ` since ${dayOf(voided_at)}` : ''}`
  return status === 'open' ? 'Open' : String(status)
}
