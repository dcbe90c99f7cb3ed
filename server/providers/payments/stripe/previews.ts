import type Stripe from 'stripe'
import { isRefusal, Refusal } from '../../../platform/refusal.ts'
import type { Payments, Preview } from '../payments.ts'
import { asked, idOf } from './asked.ts'
import { listOpen } from './open-invoices.ts'
import type { Prices } from './prices.ts'
import { unchargedWeek } from './uncharged-week.ts'

type Previews = Pick<Payments, 'previewStart' | 'previewChange' | 'previewEnd' | 'previewPayment'>
type Asked = Stripe.InvoiceCreatePreviewParams

/** What changes would cost, reckoned by the provider as it would charge them. */
export function previews(stripe: Stripe, prices: Prices, tax: boolean): Previews {
  async function ask(params: Asked, weekly: number) {
    // Tax is reckoned of somebody; and what ends has the tax that it began with.
    const isTaxed =
      tax &&
      (params.customer ?? params.customer_details ?? params.subscription) &&
      !params.subscription_details?.cancel_now
    const automatic_tax = isTaxed && { automatic_tax: { enabled: true } }
    return toPreview(
      await asked(stripe.invoices.createPreview({ ...params, ...automatic_tax })),
      weekly,
      prices,
    )
  }

  function priceOf<Answer>(name: string, use: (price: Stripe.Price) => Promise<Answer>) {
    return prices.selling(name, async (id) => use(await asked(stripe.prices.retrieve(id))))
  }

  /** Reading waits for nobody, so the plan may end before it is asked about. */
  async function askOf(
    planId: string,
    details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails,
    weekly: number,
  ) {
    try {
      return await ask({ subscription: planId, subscription_details: details }, weekly)
    } catch (error) {
      if (!isRefusal(error, 'paymentRejected')) throw error
      const { ended_at } = await asked(stripe.subscriptions.retrieve(planId))
      throw ended_at === null ? error : new Refusal('billingBusy')
    }
  }

  return {
    async previewStart({ customerId, priceId, address }) {
      const payer = {
        ...(customerId !== undefined && { customer: customerId }),
        ...(address && { customer_details: { address } }),
      }
      try {
        // A customer says which currency it is; without one it has to be said.
        return await priceOf(priceId, (price) =>
          ask(
            {
              ...payer,
              currency: price.currency,
              subscription_details: { items: [{ price: price.id }] },
            },
            weeklyOf(price),
          ),
        )
      } catch (error) {
        if (customerId !== undefined && isRefusal(error, 'customerNotFound'))
          return this.previewStart({ priceId, address })
        throw error
      }
    },

    async previewChange({ planId, priceId }) {
      const plan = await asked(stripe.subscriptions.retrieve(planId))
      const { id } = plan.items.data[0]!
      return priceOf(priceId, (price) =>
        askOf(
          planId,
          { items: [{ id, price: price.id }], proration_behavior: 'always_invoice' },
          weeklyOf(price),
        ),
      )
    },

    async previewEnd(planId) {
      const week = await unchargedWeek(stripe, planId)
      if (week)
        return {
          currency: week.currency,
          lines: [],
          total: 0,
          creditUsed: 0,
          due: 0,
          weekly: 0,
          until: week.created,
          at: undefined,
        }
      return askOf(planId, { cancel_now: true, proration_behavior: 'always_invoice' }, 0)
    },

    async previewPayment(planId) {
      const open = await listOpen(stripe, planId)
      const [first] = open
      return (
        first && {
          currency: first.currency,
          due: open.reduce((sum, { amount_remaining }) => sum + amount_remaining, 0),
        }
      )
    },
  }
}

async function toPreview(
  invoice: Stripe.Invoice,
  weekly: number,
  prices: Prices,
): Promise<Preview> {
  const { currency, total, amount_due: due, starting_balance: balance } = invoice
  const lines = await Promise.all(
    invoice.lines.data.map(async (line) => {
      const price = idOf(line.pricing?.price_details?.price)
      return {
        kind: kindOf(line),
        priceId: price && (await prices.nameOf(price)),
        amount: line.amount,
      }
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
    weekly,
    until: Math.max(...invoice.lines.data.map(({ period }) => period.end)),
    at: invoice.parent?.subscription_details?.subscription_proration_date,
  }
}

/** What comes on top. */
function taxOf({ total_taxes }: Stripe.Invoice): Preview['lines'] {
  const amount = (total_taxes ?? []).reduce(
    (sum, tax) => sum + (tax.tax_behavior === 'exclusive' ? tax.amount : 0),
    0,
  )
  return amount === 0 ? [] : [{ kind: 'tax', priceId: undefined, amount }]
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
