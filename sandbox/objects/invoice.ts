import type Stripe from 'stripe'
import type { Merchant } from './account.ts'
import { isPlaced } from './customer.ts'
import { newId, newObject, nulls, wholeList } from './new-object.ts'
import { unitAmountIn } from './price.ts'
import type {
  Customer,
  Invoice,
  InvoiceLine,
  InvoicePayment,
  PaymentIntent,
  Subscription,
  SubscriptionItem,
} from './wire.ts'

export type BillingReason =
  | 'subscription_create'
  | 'subscription_cycle'
  | 'subscription_update'
  | 'upcoming'
export type Bill = {
  subscription: Subscription
  customer: Customer
  lines: InvoiceLine[]
  reason: BillingReason
  period: Stripe.InvoiceLineItem.Period
}

/** A draft invoice with lines and totals. Finalizing it adds the other fields. */
export function newInvoice(
  { subscription, customer, lines, reason, period }: Bill,
  merchant: Merchant,
  now: number,
): Invoice {
  const base = newObject('invoice', 'in', now)
  return {
    ...base,
    ...totalsOf(lines),
    account_country: 'US',
    account_name: merchant.name,
    ...nulls(
      'account_tax_ids application automatically_finalizes_at confirmation_secret customer_account',
      'customer_address customer_email customer_name customer_phone customer_shipping',
      'customer_tax_exempt default_payment_method default_source description due_date effective_at',
      'ending_balance from_invoice hosted_invoice_url invoice_pdf last_finalization_error',
      'latest_revision next_payment_attempt number on_behalf_of receipt_number rendering',
      'shipping_cost shipping_details statement_descriptor webhooks_delivered_at',
    ),
    amount_overpaid: 0,
    amount_paid: 0,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: automaticTax(subscription, customer),
    billing_reason: reason,
    collection_method: 'charge_automatically',
    currency: subscription.currency,
    custom_fields: customer.invoice_settings.custom_fields,
    customer: customer.id,
    customer_tax_ids: [],
    default_tax_rates: [],
    footer: customer.invoice_settings.footer,
    issuer: { type: 'self' },
    lines: wholeList(
      `/v1/invoices/${base.id}/lines`,
      lines.map((line) => ({ ...line, invoice: base.id })),
    ),
    metadata: {},
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    payments: wholeList(`/v1/invoice_payments?invoice=${base.id}`, []),
    period_end: period.end,
    period_start: period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: 0,
    status: 'draft',
    status_transitions: {
      ...nulls('finalized_at marked_uncollectible_at paid_at voided_at'),
    },
    test_clock: customer.test_clock,
  }
}

/** The fields of an invoice with the totals of its lines, discounts and taxes. */
export function totalsOf(lines: InvoiceLine[]) {
  const subtotal = sumOf(lines.map(({ amount }) => amount))
  const taken = lines.flatMap((line) => line.discount_amounts)
  const discounts = [...new Set(taken.map(({ discount }) => discount))]
  const discountAmounts = discounts.map((discount) => ({
    amount: sumOf(taken.filter((each) => each.discount === discount).map((each) => each.amount)),
    discount,
  }))
  const net = subtotal - sumOf(taken.map((each) => each.amount))
  const taxes = lines.flatMap((line) => line.taxes ?? [])
  const amount = sumOf(taxes.map((tax) => tax.amount))
  const total = net + amount
  const due = Math.max(0, total)
  return {
    amount_due: due,
    amount_remaining: due,
    discounts,
    subtotal,
    subtotal_excluding_tax: subtotal,
    total,
    total_discount_amounts: discountAmounts,
    total_excluding_tax: net,
    total_pretax_credit_amounts: discountAmounts.map((each) => ({ ...each, type: 'discount' })),
    // All lines of an invoice have the same tax rate.
    total_taxes: taxes.slice(0, 1).map((tax) => ({ ...tax, amount, taxable_amount: net })),
  }
}

export function sumOf(amounts: number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

function automaticTax(
  { automatic_tax: { enabled } }: Subscription,
  { address }: Customer,
): Invoice['automatic_tax'] {
  if (!enabled)
    return { disabled_reason: null, enabled, liability: null, provider: null, status: null }
  const status = isPlaced(address) ? 'complete' : 'requires_location_inputs'
  return { disabled_reason: null, enabled, liability: { type: 'self' }, provider: 'stripe', status }
}

export function subscriptionOf(invoice: Invoice): string {
  return invoice.parent.subscription_details.subscription
}

/** Whether the invoice can be paid. A written-off invoice can. */
export function isOwed({ status }: Invoice): boolean {
  return status === 'open' || status === 'uncollectible'
}

export function intentOf(invoice: Invoice): string | undefined {
  return invoice.payments.data[0]?.payment.payment_intent as string | undefined
}

type Line = {
  currency: string
  description: string
  amount: number
  period: Stripe.InvoiceLineItem.Period
  proration: boolean
  /** The discounts that the amount of a proration contains. */
  discounts?: string[]
}

export function newLine(
  item: SubscriptionItem,
  { currency, description, amount, period, proration, discounts = [] }: Line,
): InvoiceLine {
  const { price, quantity, subscription } = item
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency,
    description,
    discount_amounts: [],
    discountable: !proration,
    discounts,
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: proration ? newId('ii') : null,
        proration,
        proration_details: proration ? { credited_items: null } : null,
        subscription,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: String(unitAmountIn(price, currency)),
    },
    quantity,
    quantity_decimal: String(quantity),
    subscription,
    subtotal: amount,
    taxes: [],
  }
}

export function newInvoicePayment(
  invoice: Invoice,
  intent: PaymentIntent,
  now: number,
): InvoicePayment {
  return {
    ...newObject('invoice_payment', 'inpay', now),
    amount_paid: null,
    amount_requested: intent.amount,
    currency: intent.currency,
    invoice: invoice.id,
    is_default: true,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }
}
