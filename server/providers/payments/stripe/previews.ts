import type { Interval } from '#contract/plan.ts'
import type { Price } from '#contract/prices.ts'
import type Stripe from 'stripe'
import { Refusal } from '../../../platform/refusal.ts'
import { noCost, type Payments, type Preview } from '../payments.ts'
import { idOf, means } from './answers.ts'
import { toCard } from './cards.ts'
import { findIntent } from './find-subscriptions.ts'
import { draftOf, listOpenInvoices } from './invoices.ts'
import { isOtherInterval, type Prices } from './prices.ts'
import { discountOf, ofDiscounts, running } from './promotions.ts'

type Params = Stripe.InvoiceCreatePreviewParams

export type PreviewInvoice = ReturnType<typeof openPreviewInvoice>

/** Stripe calculates previews as it would charge them. */
export function openPreviewInvoice(stripe: Stripe, tax: boolean) {
  return (params: Params) => {
    // Tax needs a payer. A provider subscription that ends keeps the tax that it began with.
    const isTaxed =
      tax &&
      (params.customer ?? params.customer_details ?? params.subscription) &&
      !params.subscription_details?.cancel_now
    const automatic_tax = isTaxed && { automatic_tax: { enabled: true } }
    return stripe.invoices.createPreview({ ...params, ...automatic_tax })
  }
}

export function previews(stripe: Stripe, prices: Prices, previewInvoice: PreviewInvoice) {
  async function preview(
    params: Params,
    recurring: Price | null,
    { discounts, latest_invoice = null }: Partial<Stripe.Subscription> = {},
    trialEnds: number | null = null,
  ): Promise<Preview> {
    const invoice = await previewInvoice({ ...params, expand: [ofDiscounts] })
    // Stripe counts the months of a discount from the start of the trial.
    if (
      trialEnds !== null &&
      running(invoice.discounts, trialEnds).length < invoice.discounts.length
    )
      throw new Refusal('promotionNotForThis')
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
    const taken = (invoice.total_discount_amounts ?? []).reduce((sum, off) => sum + off.amount, 0)
    if (taken > 0) lines.push({ kind: 'discount', priceId: undefined, amount: -taken })
    // A positive balance is money owed from earlier, because it was too little to be charged then.
    if (balance > 0) lines.push({ kind: 'other', priceId: undefined, amount: balance })
    const until = untilOf(invoice)
    const after = { currency, at: trialEnds ?? until }
    return {
      currency,
      lines: [...lines, ...taxOf(invoice)],
      total,
      creditUsed: Math.max(0, Math.min(-balance, total)),
      creditLeft: Math.max(0, -balance - total),
      due,
      recurring,
      until,
      discount: recurring
        ? await discountOf(stripe, discounts ?? invoice.discounts, after)
        : undefined,
      at: invoice.parent?.subscription_details?.subscription_proration_date,
      newestInvoice: idOf(latest_invoice),
    }
  }

  const retrieve = (id: string) => stripe.subscriptions.retrieve(id, { expand: [ofDiscounts] })

  /** A preview takes no billing lease, so the provider subscription may just have ended. */
  async function previewOf(
    subscription: Stripe.Subscription,
    params: Params,
    recurring: Price | null,
  ) {
    const { id } = subscription
    try {
      return await preview({ subscription: id, ...params }, recurring, subscription)
    } catch (error) {
      if (!means(error, 'paymentRejected')) throw error
      const { ended_at } = await stripe.subscriptions.retrieve(id)
      throw ended_at === null ? error : new Refusal('billingBusy')
    }
  }

  /** What starting again costs after a trial that is over. */
  async function previewAgain(subscription: string) {
    const { status } = await stripe.subscriptions.retrieve(subscription)
    if (status !== 'paused') return undefined
    const subscription_details = { resume_at: 'now' } as const
    const { currency, amount_due } = await previewInvoice({ subscription, subscription_details })
    return { currency, due: amount_due, declined: null }
  }

  return {
    async previewStart({ customerId, priceId, currency, promotionId, trialEnds, address }) {
      const asPaidBy = (customer: { customer?: string }) =>
        prices.selling(priceId, async (price) => {
          const recurring = await prices.costOf(price, currency)
          const subscription_details = { items: [{ price }] }
          const payer = { ...customer, ...(address && { customer_details: { address } }) }
          const discounts = promotionId && { discounts: [{ promotion_code: promotionId }] }
          const shown = await preview(
            { ...payer, currency, subscription_details, ...discounts },
            recurring,
            {},
            trialEnds,
          )
          // Stripe accepts a code that is for other products, and takes nothing off.
          if (discounts && !shown.lines.some(({ kind }) => kind === 'discount'))
            throw new Refusal('promotionNotForThis')
          return shown
        })
      if (customerId === undefined) return asPaidBy({})
      return asPaidBy({ customer: customerId }).catch((error: unknown) => {
        if (!means(error, 'customerNotFound')) throw error
        return asPaidBy({})
      })
    },

    async previewChange({ providerSubscriptionId, priceId }) {
      const subscription = await retrieve(providerSubscriptionId)
      return prices.selling(priceId, async (price) => {
        const recurring = await prices.costOf(price, subscription.currency)
        const subscription_details = swapOf(subscription, price, recurring)
        return previewOf(subscription, { subscription_details }, recurring)
      })
    },

    async previewLater({ providerSubscriptionId, priceId }) {
      const subscription = await retrieve(providerSubscriptionId)
      const [item] = subscription.items.data
      const then = running(subscription.discounts, item!.current_period_end)
      return prices.selling(priceId, async (price) => {
        const recurring = await prices.costOf(price, subscription.currency)
        const subscription_details = {
          items: [{ id: item!.id, price }],
          proration_behavior: 'none' as const,
          billing_cycle_anchor: { type: 'now' as const },
        }
        const discounts = then.length > 0 ? then.map(({ id }) => ({ discount: id })) : ('' as const)
        const shown = await previewOf(subscription, { subscription_details, discounts }, recurring)
        // It is for the end of the period, and not for this moment.
        return { ...shown, at: undefined }
      })
    },

    async previewEnd(id) {
      const subscription = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
      const draft = draftOf(subscription)
      const { currency, status, created } = subscription
      // A period that is not charged yet, or is a trial's, gives no credit.
      if (draft || status === 'trialing' || status === 'paused')
        return { ...noCost, currency, until: created }
      const subscription_details = {
        cancel_now: true,
        proration_behavior: 'always_invoice' as const,
      }
      return previewOf(subscription, { subscription_details }, null)
    },

    async previewNext(subscription) {
      try {
        return await preview({ subscription }, null)
      } catch (error) {
        // Stripe has no upcoming invoice of a subscription that has ended or is about to.
        if (means(error, 'billingBusy')) return undefined
        throw error
      }
    },

    async previewPayment(id) {
      const open = await listOpenInvoices(stripe, id)
      const [first] = open
      if (!first) return previewAgain(id)
      return {
        currency: first.currency,
        due: open.reduce((sum, { amount_remaining }) => sum + amount_remaining, 0),
        declined: declinedOf(await findIntent(stripe, first)),
      }
    },
  } satisfies Partial<Payments>
}

/**
 * A change to another price. Without the item's id Stripe would add a second item. A price of
 * another interval begins a new period: Stripe would go on with the present one by itself.
 */
export function swapOf(subscription: Stripe.Subscription, price: string, to: Interval) {
  return {
    items: [{ id: subscription.items.data[0]!.id, price }],
    proration_behavior: 'always_invoice' as const,
    ...(isOtherInterval(subscription, to) &&
      // A trial goes on to its end.
      subscription.status !== 'trialing' && { billing_cycle_anchor: { type: 'now' as const } }),
  }
}

/** The card of the last attempt to pay, unless the bank waits for the buyer or works on it. */
function declinedOf(intent: Stripe.PaymentIntent | undefined) {
  const method = intent?.last_payment_error?.payment_method
  if (intent?.status !== 'requires_payment_method' || !method?.card) return null
  const { id, card } = toCard(method, undefined)
  return { id, card }
}

/** Returns the tax that is added on top of prices as one line, or no line if there is none. */
function taxOf({ total_taxes }: Stripe.Invoice): Preview['lines'] {
  const amount = (total_taxes ?? []).reduce(
    (sum, tax) => sum + (tax.tax_behavior === 'exclusive' ? tax.amount : 0),
    0,
  )
  return amount === 0 ? [] : [{ kind: 'tax', priceId: undefined, amount }]
}

/** A new period may end before the former one would have, for which there is credit. */
function untilOf({ lines }: Stripe.Invoice) {
  const begun = lines.data.filter((line) => kindOf(line) === 'period')
  return Math.max(...(begun.length > 0 ? begun : lines.data).map(({ period }) => period.end))
}

function kindOf({ parent, amount }: Stripe.InvoiceLineItem): Preview['lines'][number]['kind'] {
  const details = parent?.subscription_item_details
  if (!details) return 'other'
  if (!details.proration) return 'period'
  return amount < 0 ? 'unused' : 'remaining'
}
