import type Stripe from 'stripe'
import type { Payments } from '../payments.ts'
import { idOf } from './answers.ts'
import { promisedRefundOf } from './find-subscriptions.ts'
import { chargesOf, draftOf, intentsOf } from './invoices.ts'
import type { PreviewInvoice } from './previews.ts'

/** What is refunded of the rest of a paid period when it is canceled before its end. */
export function unused(stripe: Stripe, previewInvoice: PreviewInvoice, now: () => Promise<Date>) {
  /** Counts whole days, so that all of a day has the amount that was shown. */
  async function findUnused(subscription: Stripe.Subscription) {
    if (subscription.status !== 'active' || draftOf(subscription)) return 0
    const midnight = Math.floor((await now()).setUTCHours(0, 0, 0, 0) / 1000)
    const began = subscription.items.data[0]!.current_period_start
    const { total } = await previewInvoice({
      subscription: subscription.id,
      subscription_details: {
        cancel_now: true,
        proration_behavior: 'always_invoice',
        proration_date: Math.max(midnight, began),
      },
    })
    const charges = await listCharges(stripe, subscription.id)
    const paid = charges.reduce((sum, { left }) => sum + left, 0)
    return Math.min(Math.max(0, -total), paid)
  }

  const calls = {
    async previewRefund(id) {
      return findUnused(await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }))
    },

    async refundUnused(id) {
      const promised = promisedRefundOf(await stripe.subscriptions.retrieve(id)) ?? 0
      const charges = await listCharges(stripe, id)
      let left = promised - charges.reduce((sum, charge) => sum + charge.given, 0)
      for (const { id: charge, left: most } of charges) {
        const amount = Math.min(left, most)
        if (amount <= 0) continue
        await stripe.refunds.create(
          { charge, amount, metadata: { unused: id } },
          { idempotencyKey: `${id}:unused:${charge}:${left}` },
        )
        left -= amount
      }
    },
  } satisfies Partial<Payments>
  return { findUnused, calls }
}

/** A subscription's charges, the newest first: what is left, and what `refundUnused` has given. */
async function listCharges(stripe: Stripe, subscription: string) {
  const { data } = await stripe.invoices.list({
    subscription,
    status: 'paid',
    limit: 100,
    expand: ['data.payments'],
  })
  const intents = data.flatMap(intentsOf)
  const charges = (await Promise.all(intents.map((intent) => chargesOf(stripe, intent)))).flat()
  return Promise.all(
    charges
      .filter(({ status }) => status === 'succeeded')
      .map(async ({ id, payment_intent, amount, amount_refunded }) => {
        const intent = idOf(payment_intent)!
        const refunds = await stripe.refunds.list({ payment_intent: intent, limit: 100 })
        const own = refunds.data.filter(
          ({ metadata, status }) => metadata?.['unused'] === subscription && status !== 'failed',
        )
        const given = own.reduce((sum, refund) => sum + refund.amount, 0)
        return { id, left: amount - amount_refunded, given }
      }),
  )
}
