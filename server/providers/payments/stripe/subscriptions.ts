import type Stripe from 'stripe'
import { Refusal } from '../../../platform/refusal.ts'
import type { ProviderSubscriptionId } from '../../../platform/ids.ts'
import type { Payments, Shown, Unpaid } from '../payments.ts'
import { idOf, means, once, orUndefined } from './answers.ts'
import { attachCard, ownCard } from './cards.ts'
import { changedTo, endedOf, expand, refundComment, type Finder } from './find-subscriptions.ts'
import { blockOf, closeInvoice, draftOf, listOpenInvoices, voidInvoice } from './invoices.ts'
import { swapOf, type PreviewInvoice } from './previews.ts'
import type { Prices } from './prices.ts'
import { plannedEndOf, release, withoutPlannedEnd } from './schedules.ts'

type Options = {
  tax: boolean
  unpaid: Unpaid
  previewInvoice: PreviewInvoice
  findUnused: (subscription: Stripe.Subscription) => Promise<number>
}

export function subscriptions(
  stripe: Stripe,
  prices: Prices,
  { findProviderSubscription, findNewest, toProviderSubscription }: Finder,
  { tax, unpaid, previewInvoice, findUnused }: Options,
) {
  const automatically = tax && { automatic_tax: { enabled: true } }

  /** What the preview showed may be wrong by now: with other tax, another price or less credit. */
  async function requireSameCost(
    subscription: Stripe.Subscription,
    priceId: string,
    { at: proration_date, total, due }: Shown,
  ) {
    const now = await prices.selling(priceId, async (price) => {
      const to = await prices.costOf(price, subscription.currency)
      return previewInvoice({
        subscription: subscription.id,
        subscription_details: { ...swapOf(subscription, price, to), proration_date },
      })
    })
    if (now.total !== total || now.amount_due !== due) throw new Refusal('previewOutdated')
  }

  /** A cancellation takes no moment of a preview, and credits less, for the time since then. */
  async function creditAsShown(
    { customer: id, latest_invoice: invoice }: Stripe.Subscription,
    formerInvoice: string | undefined,
    shown: Shown,
  ) {
    if (invoice === null || typeof invoice === 'string' || invoice.id === formerInvoice) return
    const missing = invoice.total - shown.total
    if (missing <= 0) return
    const customer = await stripe.customers.retrieve(idOf(id)!)
    if (!customer.deleted)
      await stripe.customers.update(customer.id, { balance: customer.balance - missing })
  }

  return {
    async startProviderSubscription(start) {
      const { subscriptionId, customerId, priceId, currency, paymentMethodId, attempt } = start
      const { promotionId } = start
      const key = (step: string) => `${attempt}:${step}:${paymentMethodId ?? 'later'}`
      const card =
        paymentMethodId !== undefined &&
        (await attachCard(stripe, { customerId, cardId: paymentMethodId, key: key('attach') }))
      const params = {
        customer: customerId,
        currency,
        ...(card && { default_payment_method: card }),
        ...(start.trial !== undefined && trialOf(start.trial)),
        payment_behavior: 'allow_incomplete',
        payment_settings: {
          payment_method_types: ['card'],
          save_default_payment_method: 'on_subscription',
        },
        off_session: false,
        ...automatically,
        metadata: { subscriptionId },
        ...(promotionId && { discounts: [{ promotion_code: promotionId }] }),
        expand,
      } as const satisfies Stripe.SubscriptionCreateParams
      const created = await prices.selling(priceId, (price) =>
        once({
          key: key(`plan:${price}`),
          send: (options) =>
            stripe.subscriptions.create({ ...params, items: [{ price }] }, options),
          findEarlier: async () => {
            const newest = await findNewest(customerId)
            return newest?.ended_at === null
              ? stripe.subscriptions.retrieve(newest.id, { expand })
              : undefined
          },
        }),
      )
      const setup = created.pending_setup_intent
      const isUntried = typeof setup === 'object' && setup?.status === 'requires_confirmation'
      if (!card || !isUntried) return toProviderSubscription(created)
      await stripe.setupIntents.confirm(setup.id, { payment_method: card })
      return (await findProviderSubscription(created.id as ProviderSubscriptionId))!
    },

    async changeProviderSubscription({ providerSubscriptionId: id, priceId, attempt, shown }) {
      const subscription = await stripe.subscriptions.retrieve(id, {
        expand: ['latest_invoice', 'schedule'],
      })
      if (shown) requireUnchanged(subscription, shown)
      const draft = draftOf(subscription)
      // The change gives credit only for a period that is paid, so an unpaid one is paid first.
      if (draft) await pay(stripe, draft.id)
      const before = draft && (await findProviderSubscription(id))
      if (before && before.payment !== 'ok') return before
      // Only now, because the invoice above may have used up credit that the preview counted on.
      if (shown) await requireSameCost(subscription, priceId, shown)
      // The update below can't change the tax:
      // https://docs.stripe.com/billing/subscriptions/pending-updates-reference
      if (automatically && !subscription.automatic_tax.enabled)
        await stripe.subscriptions.update(id, automatically, { idempotencyKey: `${attempt}:tax` })
      await release(stripe, subscription)
      const params = {
        ...(plannedEndOf(subscription) && withoutPlannedEnd),
        payment_behavior: 'pending_if_incomplete',
        ...(shown && { proration_date: shown.at }),
        expand,
      } as const satisfies Stripe.SubscriptionUpdateParams
      const changed = await prices.selling(priceId, async (price) => {
        const swap = swapOf(subscription, price, await prices.costOf(price, subscription.currency))
        return once({
          key: `${attempt}:change:${price}`,
          send: (options) => stripe.subscriptions.update(id, { ...params, ...swap }, options),
        })
      })
      // The change gave credit for a period that began after `subscription` was read.
      if (periodStartOf(changed) > periodStartOf(subscription))
        for await (const invoice of stripe.invoices.list({ subscription: id, status: 'draft' }))
          await pay(stripe, invoice.id)
      return toProviderSubscription(changed)
    },

    async adoptProviderSubscription({ id, subscriptionId }) {
      await stripe.subscriptions.update(id, { metadata: { subscriptionId } })
    },

    async dropPendingPayment(id) {
      const subscription = await stripe.subscriptions.retrieve(id)
      const invoice = idOf(subscription.latest_invoice)
      const isPending = subscription.pending_update !== null || subscription.status === 'incomplete'
      if (isPending && invoice) await voidInvoice(stripe, invoice)
      if (subscription.status !== 'paused') return
      // The card that should have started it again pays nothing, unless it has just done so.
      const { status } = await stripe.subscriptions.retrieve(id)
      if (status === 'paused') await stripe.subscriptions.update(id, { default_payment_method: '' })
    },

    async endProviderSubscription(id, { changedTo: planId, shown, isRefunded = false } = {}) {
      const present = await orUndefined(
        stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }),
      )
      if (!present) return undefined
      if (shown) requireUnchanged(present, shown)
      const isCredited = planId !== undefined && !draftOf(present)
      const refund = isRefunded && present.ended_at === null ? await findUnused(present) : 0
      const comment = planId !== undefined ? changedTo(planId) : refund > 0 && refundComment(refund)
      const cancellation = {
        prorate: isCredited,
        invoice_now: isCredited,
        ...(comment && { cancellation_details: { comment } }),
        expand: ['latest_invoice'],
      }
      const canceled =
        present.ended_at === null
          ? await orUndefined(stripe.subscriptions.cancel(id, cancellation))
          : undefined
      const ended = canceled ?? present
      for (const status of ['draft', 'open'] as const)
        for await (const invoice of stripe.invoices.list({ subscription: id, status }))
          if (status === 'draft' && hasCreditFor(invoice, ended)) await pay(stripe, invoice.id)
          else await closeInvoice(stripe, invoice, unpaid)
      if (shown && canceled) await creditAsShown(canceled, idOf(present.latest_invoice), shown)
      return findProviderSubscription(id)
    },

    async payInvoice(id, cardId) {
      const subscription = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
      const customerId = idOf(subscription.customer)!
      const card = cardId && (await ownCard(stripe, { customerId, cardId }))
      if (subscription.status === 'paused') return startAgain(stripe, subscription, card)
      for (const invoice of await listOpenInvoices(stripe, id))
        if (!(await pay(stripe, invoice.id, card))) return
      // An invoice that Stripe could not finalize is still a draft.
      const draft = draftOf(subscription)
      if (draft?.last_finalization_error) await pay(stripe, draft.id, card)
    },
  } satisfies Partial<Payments>
}

/** A trial that ends without a card charges nothing, and waits until its owner starts it again. */
function trialOf(days: number) {
  return {
    trial_period_days: days,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  } as const
}

/** Begins a new period after a trial, once that is paid. */
async function startAgain(
  stripe: Stripe,
  { id, pending_update, latest_invoice }: Stripe.Subscription,
  card: string | undefined,
) {
  const earlier = pending_update && idOf(latest_invoice)
  if (earlier) await voidInvoice(stripe, earlier)
  if (card) await stripe.subscriptions.update(id, { default_payment_method: card })
  await stripe.subscriptions.resume(id, {
    billing_cycle_anchor: { type: 'now' },
    payment_behavior: 'resume_on_payment_success',
  })
}

/** Refuses if the subscription has been changed, or a period has begun, since the preview. */
function requireUnchanged(subscription: Stripe.Subscription, { at }: Shown) {
  const { latest_invoice: newest } = subscription
  const created = typeof newest === 'object' && newest ? newest.created : 0
  if (at < Math.max(periodStartOf(subscription), created)) throw new Refusal('previewOutdated')
}

function periodStartOf({ items }: Stripe.Subscription) {
  return items.data[0]!.current_period_start
}

/**
 * Whether the draft is that of a period that began in the moment of the change to a free plan. The
 * change then gave credit for that period, with a newer invoice, and the credit pays the draft.
 */
function hasCreditFor(draft: Stripe.Invoice, ended: Stripe.Subscription) {
  const isNewest = idOf(ended.latest_invoice) === draft.id
  return endedOf(ended).because === 'changed' && !isNewest && blockOf(draft) === undefined
}

/** Returns whether the invoice is paid now: false if the bank has to ask the buyer first. */
async function pay(stripe: Stripe, invoice: string, card?: string) {
  const params = { off_session: false, ...(card && { payment_method: card }) }
  try {
    return (await stripe.invoices.pay(invoice, params)).status === 'paid'
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'invoice_payment_intent_requires_action') return false
    if (!means(error, 'notOverdue')) throw error
    // Stripe collects invoices by itself too, and may have been faster.
    const { status } = await stripe.invoices.retrieve(invoice)
    if (status === 'paid' || status === 'void') return true
    throw error
  }
}
