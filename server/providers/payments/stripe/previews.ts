import Stripe from 'stripe'
import { Refusal } from '../../../refusal.ts'
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
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      const { ended_at } = await asked(stripe.subscriptions.retrieve(planId))
      throw ended_at === null ? error : new Refusal('billingBusy')
    }
  }

  return {
    previewStart: async ({ customerId, priceId }) =>
      ask({ customer: customerId, subscription_details: { items: [{ price: await prices.idOf(priceId) }] } }),

    async previewChange({ planId, priceId }) {
      const plan = await asked(stripe.subscriptions.retrieve(planId))
      const items = [{ id: plan.items.data[0]!.id, price: await prices.idOf(priceId) }]
      return askOf(planId, { items, proration_behavior: 'always_invoice' })
    },

    async previewEnd(planId) {
      const week = await unchargedWeek(stripe, planId)
      if (week) return { currency: week.currency, lines: [], total: 0, due: 0, until: week.created }
      return askOf(planId, { cancel_now: true, proration_behavior: 'always_invoice' })
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
    lines: [...(await Promise.all(lines)), ...taxOf(invoice)],
    total: invoice.total,
    due: invoice.amount_due,
    until: Math.max(...invoice.lines.data.map(({ period }) => period.end)),
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
