import type Stripe from 'stripe'
import { newId } from './new-object.ts'
import { unitAmountIn } from './price.ts'
import type { InvoiceLine, SubscriptionItem } from './wire.ts'

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
