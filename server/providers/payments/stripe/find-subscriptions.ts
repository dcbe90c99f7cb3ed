import { billingLimits } from '#config/limits.ts'
import type { PlanId } from '#config/plans.ts'
import type { PaymentState } from '#contract/entities.ts'
import type Stripe from 'stripe'
import type { CustomerId, ProviderSubscriptionId } from '../../../platform/ids.ts'
import type { Ended, Payments, ProviderSubscription } from '../payments.ts'
import { idOf, listParams, orUndefined } from './answers.ts'
import { blockOf, listOpenInvoices, toInvoice } from './invoices.ts'
import type { Prices } from './prices.ts'
import { discountOf, ofDiscounts } from './promotions.ts'
import { plannedEndOf, plansOf } from './schedules.ts'

/** Stripe expands at most four levels, and a payment's intent would be the fifth. */
export const expand = [
  'customer',
  'latest_invoice.payments',
  'pending_setup_intent',
  'schedule',
  ofDiscounts,
]

/** The comment that tells `endedOf`, and the operator, why a subscription was canceled. */
export const changedTo = (planId: PlanId) => `Changed to plan ${planId}`
const changedToPlan = /^Changed to plan (\S+)$/

/** The comment on a cancellation that says how much is refunded, in minor units. */
export const refundComment = (amount: number) => `Refund ${amount}`
const refunded = /^Refund (\d+)$/

/** What a cancellation has promised to refund; undefined if nothing. */
export function promisedRefundOf({ cancellation_details: details }: Stripe.Subscription) {
  const amount = details?.comment?.match(refunded)?.[1]
  return amount === undefined ? undefined : Number(amount)
}

export type Finder = ReturnType<typeof openFinder>

export function openFinder(stripe: Stripe, prices: Prices, now: () => Promise<Date>) {
  async function findNewest(customer: CustomerId) {
    const list = stripe.subscriptions.list({ customer, status: 'all', limit: 1 })
    return (await orUndefined(list))?.data[0]
  }

  async function findProviderSubscription(id: ProviderSubscriptionId, { mayOweMore = false } = {}) {
    const subscription = await orUndefined(stripe.subscriptions.retrieve(id, { expand }))
    return subscription && toProviderSubscription(subscription, { mayOweMore })
  }

  async function toProviderSubscription(
    subscription: Stripe.Subscription,
    { mayOweMore = false } = {},
  ): Promise<ProviderSubscription> {
    const { status, latest_invoice: latest, customer } = subscription
    const newest = typeof latest === 'object' && latest ? latest : undefined
    const { price, current_period_end: renews } = subscription.items.data[0]!
    const cards = cardsOf(subscription)
    const setup = cards.newCard === undefined ? undefined : waitingSetupOf(subscription)
    const state = setup ? 'unpaid' : stateOf(status)
    const isChanging = subscription.pending_update !== null
    const isBehind = status === 'past_due' || status === 'unpaid'
    const overdue =
      isBehind || (mayOweMore && state === 'active')
        ? await findOverdue(stripe, subscription)
        : undefined
    const isOwing = isBehind || overdue !== undefined
    const isWaiting = state === 'unpaid' || isChanging
    const toPay = isWaiting ? newest : (overdue ?? (isBehind ? newest : undefined))
    const intent = setup ?? (toPay && (await findIntent(stripe, toPay)))
    const isLate = setup !== undefined && isPast(subscription.created, await now())
    const needsCard = intent?.status === 'requires_payment_method' || isLate
    const asks = intent?.status === 'requires_action' && !isLate
    const clientSecret = asks ? (intent.client_secret ?? undefined) : undefined
    return {
      id: subscription.id as ProviderSubscriptionId,
      subscriptionId: subscription.metadata['subscriptionId'] ?? '',
      customerId: idOf(customer) as CustomerId,
      priceId: await prices.nameOf(price.id),
      state,
      payment: isUnplaced(newest) ? 'past_due' : isOwing ? paymentOf(intent) : 'ok',
      renews,
      price: await prices.costOf(price, subscription.currency),
      ...(await plansOf(subscription, prices)),
      trialEnds: isOnTrial(status) ? (subscription.trial_end ?? undefined) : undefined,
      isTrialOver: status === 'paused',
      discount: await discountOf(stripe, subscription.discounts, {
        currency: subscription.currency,
        at: subscription.items.data[0]!.current_period_start,
      }),
      overdueSince: toPay !== undefined && isOwing ? toPay.created : undefined,
      isPaused: subscription.pause_collection !== null,
      ...cards,
      invoice: newest && toInvoice(newest),
      isChanging,
      isProcessing:
        intent !== undefined &&
        !needsCard &&
        clientSecret === undefined &&
        intent.status !== 'canceled',
      declineCode: intent && needsCard ? declineCodeOf(intent) : undefined,
      clientSecret,
      ended: state === 'ended' ? endedOf(subscription) : undefined,
      isRefunded: state === 'ended' && promisedRefundOf(subscription) !== undefined,
      isLeftOwing: state === 'ended' && (await isLeftOwing(stripe, subscription)),
    }
  }

  const finding = {
    findProviderSubscription,

    async findNewestProviderSubscription(customerId) {
      const newest = await findNewest(customerId)
      return newest && findProviderSubscription(newest.id as ProviderSubscriptionId)
    },

    async *listLiveProviderSubscriptions(page) {
      const params = { ...listParams(page), expand: expand.map((path) => `data.${path}`) }
      for await (const subscription of stripe.subscriptions.list(params))
        // Stripe's list contains those that expired before their first payment.
        if (stateOf(subscription.status) !== 'ended') yield toProviderSubscription(subscription)
    },
  } satisfies Partial<Payments>
  return { finding, findProviderSubscription, findNewest, toProviderSubscription }
}

/** The oldest open invoice that Stripe tried to collect, except that of a waiting change. */
async function findOverdue(stripe: Stripe, subscription: Stripe.Subscription) {
  const waiting = subscription.pending_update && idOf(subscription.latest_invoice)
  const open = await listOpenInvoices(stripe, subscription.id)
  return open.find(({ id, attempted }) => attempted && id !== waiting)
}

/** Stripe charges the drafts of a subscription that has ended, also if they are not its newest. */
async function isLeftOwing(stripe: Stripe, { id, latest_invoice: newest }: Stripe.Subscription) {
  if (typeof newest === 'object' && newest?.status === 'open') return true
  const drafts = await stripe.invoices.list({ subscription: id, status: 'draft', limit: 100 })
  return drafts.data.some(({ auto_advance }) => auto_advance)
}

/** Whether tax can't be calculated for the customer's address, so that the owner has to act. */
function isUnplaced(invoice: Stripe.Invoice | undefined) {
  return invoice !== undefined && blockOf(invoice) === 'customer_tax_location_invalid'
}

function cardsOf({ default_payment_method, customer, status }: Stripe.Subscription) {
  const own = idOf(default_payment_method)
  if (typeof customer !== 'object' || customer.deleted)
    return { hasCard: own !== undefined, newCard: undefined }
  const ofCustomer = idOf(customer.invoice_settings.default_payment_method)
  return {
    hasCard: own !== undefined || ofCustomer !== undefined,
    // A card that should start it again after its trial has paid nothing yet.
    newCard: own === ofCustomer || status === 'paused' ? undefined : own,
  }
}

function stateOf(status: Stripe.Subscription.Status): ProviderSubscription['state'] {
  if (status === 'incomplete') return 'unpaid'
  return status === 'canceled' || status === 'incomplete_expired' ? 'ended' : 'active'
}

/** A trial that ended without a card pauses the subscription. */
function isOnTrial(status: Stripe.Subscription.Status) {
  return status === 'trialing' || status === 'paused'
}

type Intent = Stripe.PaymentIntent | Stripe.SetupIntent

/**
 * Of a trial that needs a card: the check of that card, while the buyer's bank has not agreed. Once
 * it has, the card becomes the customer's default.
 */
function waitingSetupOf({ status, pending_setup_intent: intent }: Stripe.Subscription) {
  if (status !== 'trialing' || typeof intent !== 'object' || intent === null) return undefined
  const isOver = intent.status === 'succeeded' || intent.status === 'canceled'
  const isUntried = intent.status === 'requires_payment_method' && !intent.last_setup_error
  return isOver || isUntried ? undefined : intent
}

/** Whether a buyer has had long enough to confirm a card. */
function isPast(created: number, now: Date) {
  return now.getTime() - created * 1000 > billingLimits.cardConfirmed
}

function paymentOf(intent: Intent | undefined): PaymentState {
  return intent?.status === 'requires_action' ? 'action_required' : 'past_due'
}

export function endedOf(subscription: Stripe.Subscription): Ended {
  const { cancellation_details: details } = subscription
  const planId =
    details?.comment?.match(changedToPlan)?.[1] ?? plannedEndOf(subscription)?.changedTo
  if (planId !== undefined) return { because: 'changed', changedTo: planId }
  return { because: details?.reason === 'payment_failed' ? 'unpaid' : 'asked' }
}

/** Of an invoice's payments, Stripe collects the default one. */
export async function findIntent(stripe: Stripe, invoice: Stripe.Invoice) {
  const payment = invoice.payments?.data.find(({ is_default }) => is_default)?.payment
  const id = idOf(payment?.payment_intent)
  return id === undefined ? undefined : stripe.paymentIntents.retrieve(id)
}

function declineCodeOf(intent: Intent) {
  const isSetup = intent.object === 'setup_intent'
  const error = isSetup ? intent.last_setup_error : intent.last_payment_error
  if (isSetup && intent.status === 'requires_action') return 'authentication_required'
  if (error?.code?.endsWith('_authentication_failure')) return 'authentication_required'
  return error?.decline_code ?? error?.code ?? 'generic_decline'
}
