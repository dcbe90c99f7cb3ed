import type Stripe from 'stripe'
import type { Payments, Preview } from '../payments.ts'
import { asked, idOf } from './asked.ts'
import type { Prices } from './prices.ts'
import { unchargedWeek } from './uncharged-week.ts'

/** What changes would cost, reckoned by the provider as it would charge them. */
export function previews(stripe: Stripe, prices: Prices): Pick<Payments, 'previewStart' | 'previewChange' | 'previewEnd'> {
  async function ask(params: Stripe.InvoiceCreatePreviewParams) {
    return toPreview(await asked(stripe.invoices.createPreview(params)), prices)
  }

  return {
    previewStart: async ({ customerId, priceId }) =>
      ask({ customer: customerId, subscription_details: { items: [{ price: await prices.idOf(priceId) }] } }),

    async previewChange({ planId, priceId }) {
      const plan = await asked(stripe.subscriptions.retrieve(planId))
      const items = [{ id: plan.items.data[0]!.id, price: await prices.idOf(priceId) }]
      return ask({ subscription: planId, subscription_details: { items, proration_behavior: 'always_invoice' } })
    },

    async previewEnd(planId) {
      const week = await unchargedWeek(stripe, planId)
      if (week) return { currency: week.currency, lines: [], total: 0, due: 0, until: week.created }
      return ask({ subscription: planId, subscription_details: { cancel_now: true, proration_behavior: 'always_invoice' } })
    },
  }
}

async function toPreview(invoice: Stripe.Invoice, prices: Prices): Promise<Preview> {
  const lines = invoice.lines.data.map(async (line) => {
    const price = idOf(line.pricing?.price_details?.price)
    return { kind: kindOf(line), priceId: price && (await prices.nameOf(price)), amount: line.amount }
  })
  return {
    currency: invoice.currency,
    lines: await Promise.all(lines),
    total: invoice.total,
    due: invoice.amount_due,
    until: Math.max(...invoice.lines.data.map(({ period }) => period.end)),
  }
}

function kindOf({ parent, amount }: Stripe.InvoiceLineItem): Preview['lines'][number]['kind'] {
  const details = parent?.subscription_item_details
  if (!details) return 'other'
  if (!details.proration) return 'week'
  return amount < 0 ? 'unused' : 'remaining'
}
