import type Stripe from 'stripe'
import { invalid, type StripeFailure } from '../rules/errors.ts'
import { netOf } from './discounts.ts'
import { isPlaced } from '../objects/customer.ts'
import type { Customer, Invoice, InvoiceLine, Subscription } from '../objects/wire.ts'
import { ofCustomer } from '../store/objects.ts'
import type { Runner } from '../store/tx.ts'

type AutomaticTax = Pick<Subscription | Invoice, 'automatic_tax'>

/** Tax rates in percent by country. In other countries the merchant collects no tax. */
const rates: Record<string, number> = { DE: 19, FR: 20 }

/** The lines with tax, if it is automatic here and the customer's address is known. */
export async function taxed(
  runner: Runner,
  { automatic_tax }: AutomaticTax,
  customer: Customer,
  lines: InvoiceLine[],
): Promise<InvoiceLine[]> {
  if (!automatic_tax.enabled || !isPlaced(customer.address))
    return lines.map((line) => ({ ...line, taxes: [] }))
  const rate = rateIn(customer.address)
  const isBusiness = (await ofCustomer(runner, 'tax_id', customer.id)).some(
    ({ type }) => type === 'eu_vat',
  )
  return lines.map((line) => ({
    ...line,
    taxes: [taxOn(netOf(line), { rate, isBusiness, country: customer.address?.country ?? '' })],
  }))
}

/** The tax on an amount. It is 0 for a business with an EU VAT id, which owes the tax itself. */
function taxOn(
  amount: number,
  { rate, isBusiness, country }: { rate: number; isBusiness: boolean; country: string },
): Stripe.InvoiceLineItem.Tax {
  const tax = isBusiness ? 0 : Math.sign(amount) * Math.round((Math.abs(amount) * rate) / 100)
  return {
    // Turns -0 into 0.
    amount: tax || 0,
    tax_behavior: 'exclusive',
    tax_rate_details: { tax_rate: `txr_sandbox_${country.toLowerCase()}` },
    taxability_reason:
      rate === 0 ? 'not_collecting' : isBusiness ? 'reverse_charge' : 'standard_rated',
    taxable_amount: amount,
    type: 'tax_rate_details',
  }
}

export function rateIn(address: Customer['address']): number {
  return rates[address?.country ?? ''] ?? 0
}

export function unplaced(): StripeFailure {
  return invalid(unplacedMessage, { code: 'customer_tax_location_invalid' })
}

export const unplacedMessage =
  "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax."
