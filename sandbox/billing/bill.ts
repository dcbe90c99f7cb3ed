import { invalid } from '../rules/errors.ts'
import { hour } from '../objects/due-at.ts'
import { chargeable } from '../objects/currency.ts'
import { defaultCardOf, isPlaced } from '../objects/customer.ts'
import {
  intentOf,
  isOwed,
  newInvoice,
  newInvoicePayment,
  subscriptionOf,
  totalsOf,
  type Bill,
} from '../objects/invoice.ts'
import { linksTo } from '../objects/links.ts'
import { newPaymentIntent } from '../objects/intents.ts'
import type {
  Customer,
  Invoice,
  PaymentIntent,
  PaymentMethod,
  Subscription,
} from '../objects/wire.ts'
import { change, publish, record } from '../events/record.ts'
import { requireObject, save, lockObject, ofCustomer } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { charge } from './charge.ts'
import { nextAttempt, paid, applyPayment } from './apply-payment.ts'
import { taxed, unplaced } from './tax.ts'

export type Collected = { invoice: Invoice; intent: PaymentIntent | null }

/** Creates a draft invoice and its event. `finalizesAt` is when the clock finalizes the draft. */
export async function draft(
  tx: Tx,
  bill: Bill,
  finalizesAt: number | null = null,
): Promise<Invoice> {
  const lines = await taxed(tx, bill.subscription, bill.customer, bill.lines)
  return publish(tx, 'invoice.created', {
    ...newInvoice({ ...bill, lines }, tx.merchant, tx.now),
    ...(await billedTo(tx, bill.customer)),
    automatically_finalizes_at: finalizesAt,
  })
}

/** The fields of an invoice with the customer's details. They are fixed when it is finalized. */
export async function billedTo(tx: Tx, customer: Customer): Promise<Partial<Invoice>> {
  const taxIds = await ofCustomer(tx, 'tax_id', customer.id)
  return {
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: customer.shipping,
    customer_tax_exempt: customer.tax_exempt ?? null,
    customer_tax_ids: taxIds.toReversed().map(({ type, value }) => ({ type, value })),
  }
}

/**
 * Finalizes a draft: adds its number, links and details of the customer, and applies the customer's
 * credit. Adds a payment intent if an amount is left to pay.
 */
export async function finalize(tx: Tx, invoice: Invoice): Promise<Invoice> {
  const customer = await lockObject(tx, 'customer', invoice.customer)
  if (!canBeFinal(invoice, customer)) throw unplaced()
  const subscription = await requireObject(tx, 'subscription', subscriptionOf(invoice))
  const sequence = customer.next_invoice_sequence ?? 1
  const lines = await taxed(tx, invoice, customer, invoice.lines.data)
  const balanced = withCredit(
    { ...invoice, ...totalsOf(lines), lines: { ...invoice.lines, data: lines } },
    customer,
  )
  const final: Invoice = {
    ...balanced,
    ...(await billedTo(tx, customer)),
    ...linksTo(invoice.id, tx.merchant, tx.now),
    automatically_finalizes_at: null,
    effective_at: tx.now,
    last_finalization_error: null,
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...invoice.status_transitions, finalized_at: tx.now },
  }
  const numbered = {
    ...customer,
    balance: final.ending_balance ?? 0,
    currency: invoice.currency,
    next_invoice_sequence: sequence + 1,
  }
  if (numbered.balance === customer.balance) await save(tx, numbered)
  else await change(tx, 'customer.updated', customer, numbered)
  const open =
    final.amount_due > 0 ? await withPayment(tx, final, subscription) : await save(tx, final)
  await record(tx, 'invoice.finalized', open)
  return open.amount_due > 0 ? open : paid(tx, open, { ...open, attempted: true })
}

/** The amount to charge. What can't be charged is added to the customer's balance instead. */
export function dueOf(total: number, { balance }: Customer, currency: string): number {
  return chargeable(total + balance, currency)
}

/** Whether the invoice can be finalized. Automatic tax needs a known customer address. */
export function canBeFinal({ automatic_tax }: Invoice, { address }: Customer): boolean {
  return !automatic_tax.enabled || isPlaced(address)
}

/** The invoice after the customer's balance is applied: credit if negative, debt if positive. */
export function withCredit(invoice: Invoice, customer: Customer): Invoice {
  const { balance } = customer
  const amount_due = dueOf(invoice.total, customer, invoice.currency)
  return {
    ...invoice,
    amount_due,
    amount_remaining: amount_due,
    ending_balance: invoice.total + balance - amount_due,
    starting_balance: balance,
  }
}

async function withPayment(tx: Tx, invoice: Invoice, subscription: Subscription): Promise<Invoice> {
  const intent = await save(tx, newPaymentIntent(invoice, subscription.payment_settings!, tx.now))
  const payments = { ...invoice.payments, data: [newInvoicePayment(invoice, intent, tx.now)] }
  return save(tx, {
    ...invoice,
    payments,
    confirmation_secret: { client_secret: intent.client_secret, type: 'payment_intent' },
  })
}

/** Tries to charge an unpaid invoice to `card`, or else to the subscription's default card. */
export async function collect(tx: Tx, invoice: Invoice, card?: PaymentMethod): Promise<Collected> {
  const id = intentOf(invoice)
  if (!isOwed(invoice) || !id) return { invoice, intent: null }
  const intent = await lockObject(tx, 'payment_intent', id)
  const charged = await charge(tx, intent, card ?? (await defaultCard(tx, invoice)))
  return { invoice: await applyPayment(tx, charged), intent: charged }
}

/** The payment method to charge: the subscription's own, or else that of its customer. */
export async function payingMethod(tx: Tx, subscription: Subscription): Promise<string | null> {
  const { customer, default_payment_method } = subscription
  return default_payment_method ?? defaultCardOf(await requireObject(tx, 'customer', customer))
}

export async function defaultCard(tx: Tx, invoice: Invoice): Promise<PaymentMethod | null> {
  const id = await payingMethod(
    tx,
    await requireObject(tx, 'subscription', subscriptionOf(invoice)),
  )
  return id ? requireObject(tx, 'payment_method', id) : null
}

/** Turns `auto_advance` on or off: whether the clock finalizes the draft or retries the payment. */
export async function autoAdvance(tx: Tx, invoice: Invoice, auto_advance: boolean) {
  if (invoice.status !== 'draft' && invoice.status !== 'open')
    throw invalid(`This invoice is ${invoice.status} and can't be advanced.`)
  return change(tx, 'invoice.updated', invoice, {
    auto_advance,
    automatically_finalizes_at:
      invoice.status === 'draft' && auto_advance
        ? (invoice.automatically_finalizes_at ?? tx.now + hour)
        : null,
    next_payment_attempt: auto_advance ? await nextAttempt(tx, invoice) : null,
  })
}
