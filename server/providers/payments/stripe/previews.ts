import Stripe from 'stripe'
import { Refusal } from '../../../refusal.ts'
import type { Payments, Preview } from '../payments.ts'
import { asked, idOf } from './asked.ts'
import type { Prices } from './prices.ts'
import { unchargedWeek } from './uncharged-week.ts'

/** What changes would cost, reckoned by the provider as it would charge them. */
export function previews(
  stripe: Stripe,
  prices: Prices,
): Pick<Payments, 'previewStart' | 'previewChange' | 'previewEnd' | 'previewPayment'> {
  async function ask(params: Stripe.InvoiceCreatePreviewParams, weekly: number) {
    return toPreview(await asked(stripe.invoices.createPreview(params)), weekly, prices)
  }

  async function priceOf(name: string) {
    return asked(stripe.prices.retrieve(await prices.idOf(name)))
  }

  /** Reading waits for nobody, so the plan may end before it is asked about. */
  async function askOf(planId: string, details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails, weekly: number) {
    try {
      return await ask({ subscription: planId, subscription_details: details }, weekly)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      const { ended_at } = await asked(stripe.subscriptions.retrieve(planId))
      throw ended_at === null ? error : new Refusal('billingBusy')
    }
  }

  return {
    async previewStart({ customerId, priceId, address }) {
      const price = await priceOf(priceId)
      const payer = {
        ...(customerId !== undefined && { customer: customerId }),
        ...(address && { customer_details: { address } }),
      }
      // A customer says which currency it is; without one it has to be said.
      return ask({ ...payer, currency: price.currency, subscription_details: { items: [{ price: price.id }] } }, weeklyOf(price))
    },

    async previewChange({ planId, priceId }) {
      const [plan, price] = await Promise.all([asked(stripe.subscriptions.retrieve(planId)), priceOf(priceId)])
      const items = [{ id: plan.items.data[0]!.id, price: price.id }]
      return askOf(planId, { items, proration_behavior: 'always_invoice' }, weeklyOf(price))
    },

    async previewEnd(planId) {
      const week = await unchargedWeek(stripe, planId)
      if (week) return { currency: week.currency, lines: [], total: 0, due: 0, weekly: 0, until: week.created }
      return askOf(planId, { cancel_now: true, proration_behavior: 'always_invoice' }, 0)
    },

    async previewPayment(planId) {
      const { data } = await asked(stripe.invoices.list({ subscription: planId, status: 'open', limit: 100 }))
      const [first] = data
      return first && { currency: first.currency, due: data.reduce((sum, { amount_remaining }) => sum + amount_remaining, 0) }
    },
  }
}

async function toPreview(invoice: Stripe.Invoice, weekly: number, prices: Prices): Promise<Preview> {
  const lines = invoice.lines.data.map(async (line) => {
    const price = idOf(line.pricing?.price_details?.price)
    return { kind: kindOf(line), priceId: price && (await prices.nameOf(price)), amount: line.amount }
  })
  return {
    currency: invoice.currency,
    lines: await Promise.all(lines),
    total: invoice.total,
    due: invoice.amount_due,
    weekly,
    until: Math.max(...invoice.lines.data.map(({ period }) => period.end)),
  }
}

function weeklyOf(price: Stripe.Price) {
  return price.unit_amount ?? 0
}

function kindOf({ parent, amount }: Stripe.InvoiceLineItem): Preview['lines'][number]['kind'] {
  const details = parent?.subscription_item_details
  if (!details) return 'other'
  if (!details.proration) return 'week'
  return amount < 0 ? 'unused' : 'remaining'
}
