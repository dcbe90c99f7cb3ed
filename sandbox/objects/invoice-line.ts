import type Stripe from 'stripe'
import { newId } from './ids.ts'
import type { InvoiceLine, SubscriptionItem } from './wire.ts'

type Line = {
  description: string
  amount: number
  period: Stripe.InvoiceLineItem.Period
  proration: boolean
}

export function newLine(
  item: SubscriptionItem,
  { description, amount, period, proration }: Line,
): InvoiceLine {
  const { price, quantity, subscription } = item
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description,
    discount_amounts: [],
    discountable: !proration,
    discounts: [],
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
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: String(quantity),
    subscription,
    subtotal: amount,
    taxes: [],
  }
}
