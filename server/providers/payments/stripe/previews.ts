import type Stripe from 'stripe'
import { isRefusal, Refusal } from '../../../refusal.ts'
import type { Payments, Preview } from '../payments.ts'
import { asked, idOf } from './asked.ts'
import type { Prices } from './prices.ts'
import { unchargedWeek } from './uncharged-week.ts'

/** What changes would cost, reckoned by the provider as it would charge them. */
export function previews(stripe: Stripe, prices: Prices, tax: boolean): Pick<Payments, 'previewStart' | 'previewChange' | 'previewEnd'> {
  async function ask(params: Stripe.InvoiceCreatePreviewParams) {
    // What ends has the tax that it began with.
    const automatic_tax = tax && !params.subscription_details?.cancel_now && { automatic_tax: { enabled: true } }
    return toPreview(await asked(stripe.invoices.createPreview({ ...params, ...automatic_tax })), prices)
  }

  /** Reading waits for nobody, so the plan may end before it is asked about. */
  async function askOf(planId: string, details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails) {
    try {
      return await ask({ subscription: planId, subscription_details: details })
    } catch (error) {
      if (!isRefusal(error, 'paymentRejected')) throw error
      const { ended_at } = await asked(stripe.subscriptions.retrieve(planId))
      throw ended_at === null ? error : new Refusal('billingBusy')
    }
  }

  return {
    async previewStart({ customerId, priceId }) {
      try {
        return await prices.selling(priceId, (price) => ask({ customer: customerId, subscription_details: { items: [{ price }] } }))
      } catch (error) {
        if (isRefusal(error, 'customerNotFound')) return undefined
        throw error
      }
    },

    async previewChange({ planId, priceId }) {
      const plan = await asked(stripe.subscriptions.retrieve(planId))
      const { id } = plan.items.data[0]!
      return prices.selling(priceId, (price) => askOf(planId, { items: [{ id, price }], proration_behavior: 'always_invoice' }))
    },

    async previewEnd(planId) {
      const week = await unchargedWeek(stripe, planId)
      if (week) return { currency: week.currency, lines: [], total: 0, creditUsed: 0, due: 0, until: week.created, at: undefined }
      return askOf(planId, { cancel_now: true, proration_behavior: 'always_invoice' })
    },
  }
}

async function toPreview(invoice: Stripe.Invoice, prices: Prices): Promise<Preview> {
  const { currency, total, amount_due: due, starting_balance: balance } = invoice
  const lines = await Promise.all(
    invoice.lines.data.map(async (line) => {
      const price = idOf(line.pricing?.price_details?.price)
      return { kind: kindOf(line), priceId: price && (await prices.nameOf(price)), amount: line.amount }
    }),
  )
  // A balance above zero is what was too little to be charged before.
  if (balance > 0) lines.push({ kind: 'other', priceId: undefined, amount: balance })
  return {
    currency,
    lines: [...lines, ...taxOf(invoice)],
    total,
    creditUsed: Math.max(0, Math.min(-balance, total)),
    due,
    until: Math.max(...invoice.lines.data.map(({ period }) => period.end)),
    at: invoice.parent?.subscription_details?.subscription_proration_date,
  }
}

/** What comes on top. */
function taxOf({ total_taxes }: Stripe.Invoice): Preview['lines'] {
  const amount = (total_taxes ?? []).reduce((sum, tax) => sum + (tax.tax_behavior === 'exclusive' ? tax.amount : 0), 0)
  return amount === 0 ? [] : [{ kind: 'tax', priceId: undefined, amount }]
}

function kindOf({ parent, amount }: Stripe.InvoiceLineItem): Preview['lines'][number]['kind'] {
  const details = parent?.subscription_item_details
  if (!details) return 'other'
  if (!details.proration) return 'week'
  return amount < 0 ? 'unused' : 'remaining'
}
