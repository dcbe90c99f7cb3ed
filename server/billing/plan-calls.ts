import { isShut, whyNot } from '#contract/access.ts'
import { cancelTiming, resolveAt } from '#contract/timing.ts'
import type { CurrentUser, Handlers, RequestOf, Services } from '../core/services.ts'
import { newId, type SubscriptionId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { seconds } from '../platform/time.ts'
import type { ProviderSubscription } from '../providers/payments/payments.ts'
import type { Lease } from '../store/billing.ts'
import { priceOf } from '../store/charges.ts'
import { removeCardsOfOthers, finishTriedCard } from './cards.ts'
import { cancelProject } from './cancel.ts'
import { withBillingLease } from './lease.ts'
import { hasOffer, isFree, requireOffer, requirePlanChange, type Wish } from './plans.ts'
import { changeOf, previewPlan } from './preview-calls.ts'
import { arrange, buyPlan, charge, giveUp, isWaiting, recover } from './purchase.ts'
import { readQuote } from './quotes.ts'
import { recordPlan } from './plan-records.ts'
import { syncProviderSubscription } from './sync.ts'
import { requireTrial } from './trials.ts'

export const planCalls = {
  async changeSubscriptionPlan(request, services) {
    const { lease, user } = request
    const { billingInfo, promotionCode } = request.input
    const { subscriptionId } = lease
    const { isDone, waiting } = await finishEarlierChange(lease, request.input, services)
    if (isDone) return {}
    // An outdated quote, from another tab say, leaves the earlier change to its buyer.
    const shown = await readShown(request, services)
    if (waiting) await giveUpChange(lease, waiting, services)
    const { row, offer, at, trial } = await beginChange(request, services)
    const { plan, priceId } = offer
    const attempt = newId()
    if (billingInfo) {
      const { network } = request.visit
      const purchase = { offer, billingInfo, trial, promotionCode, attempt, user, network }
      const bought = await buyPlan(lease, purchase, services)
      await removeCardsOfOthers(lease, user, services)
      return bought
    }
    const { providerSubscriptionId } = row
    if (providerSubscriptionId === null) {
      await services.transaction(async (services) => {
        const changes = { planId: plan.id, nextPlanId: null }
        await Promise.all([
          services.store.billing.update(subscriptionId, changes),
          recordPlan(row, plan.id, services),
        ])
      })
      return {}
    }
    const { payments } = services
    if (at === 'periodEnd')
      return arrange(lease, services, async () => {
        if (priceId === undefined) await payments.endLater(providerSubscriptionId, plan.id)
        else await payments.changeLater({ providerSubscriptionId, priceId })
      })
    return charge(lease, user, services, async () => {
      if (priceId === undefined)
        await payments.endProviderSubscription(providerSubscriptionId, {
          changedTo: plan.id,
          shown,
        })
      else
        await payments.changeProviderSubscription({
          providerSubscriptionId,
          priceId,
          attempt,
          shown,
        })
      return providerSubscriptionId
    })
  },

  async completePayment({ input: { subscriptionId }, user }, services) {
    const id = subscriptionId as SubscriptionId
    // Checked before the lease too, so that strangers can't block the billing of the subscription.
    await requireOwner(id, user, services)
    return withBillingLease(id, services, (lease) => complete(lease, user, services))
  },

  async undoPlanChange({ lease, user }, services) {
    const isOwn = ({ next }: ProviderSubscription) => next?.isOwn === true
    return takeBack(lease, user, isOwn, services)
  },

  async cancelSubscription({ input, lease, user }, services) {
    const { subscriptionId } = lease
    if (input.confirmationId !== subscriptionId) throw new Refusal('subscriptionIdMismatch')
    const row = (await services.store.billing.find(subscriptionId))!
    const { payment, endsBy: ends_by, providerSubscriptionId } = row
    const trial_ends = row.trialEndsAt && seconds(row.trialEndsAt)
    const timing = cancelTiming({ price: priceOf(row), payment, ends_by, trial_ends })
    const at = resolveAt(timing, input.at)
    if (at === undefined) throw new Refusal('notOffered')
    if (at === 'now') {
      await cancelProject(lease, { by: user }, services)
      return {}
    }
    await requestBy(lease, user, services)
    return arrange(lease, services, () => services.payments.endLater(providerSubscriptionId!))
  },

  async resumeSubscription({ lease, user }, services) {
    const isOwn = ({ endsBy }: ProviderSubscription) => endsBy === 'owner'
    return takeBack(lease, user, isOwn, services)
  },
} satisfies Partial<Handlers>

/** Takes back what the owner has asked for at the end of the period. */
async function takeBack(
  lease: Lease,
  user: CurrentUser,
  isOwn: (current: ProviderSubscription) => boolean,
  services: Services,
) {
  const { providerSubscriptionId: id } = (await services.store.billing.find(lease.subscriptionId))!
  const current = id && (await syncProviderSubscription(id, services))
  if (!current || !isOwn(current)) throw new Refusal('nothingToUndo')
  await requestBy(lease, user, services)
  return arrange(lease, services, () => services.payments.takeBack(id))
}

async function requestBy({ subscriptionId: id }: Lease, { uid }: CurrentUser, services: Services) {
  const isActive = await services.transaction(({ store }) => store.billing.setRequester(id, uid))
  if (!isActive) throw new Refusal('subscriptionCanceled')
}

async function complete(lease: Lease, user: CurrentUser, services: Services) {
  const { payments } = services
  const row = await requireOwner(lease.subscriptionId, user, services)
  const { providerSubscriptionId: id } = row
  const current = id && (await payments.findProviderSubscription(id, { mayOweMore: true }))
  if (!current && row.status === 'incomplete') throw new Refusal('paymentIncomplete')
  if (current && current.clientSecret !== undefined) throw new Refusal('paymentIncomplete')
  if (current) await recover(lease, services)
  // A job may have given up before what should have started the project again.
  const isUndone = current?.isTrialOver && !current.isProcessing
  const declineCode = current?.declineCode ?? (isUndone ? 'authentication_required' : undefined)
  if (declineCode !== undefined) throw new Refusal('cardDeclined', { declineCode })
  await removeCardsOfOthers(lease, user, services)
  return current?.isProcessing ? { processing: true } : {}
}

/** The row, even if it waits for its first payment. Refuses unless the user owns it, in this session. */
async function requireOwner(
  id: SubscriptionId,
  { uid, session: { secondStepAt } }: CurrentUser,
  { store, now }: Services,
) {
  const row = await store.billing.find(id)
  if (row?.ownerId === uid) {
    const from = row.secondFactorFrom && seconds(row.secondFactorFrom)
    if (isShut({ second_factor_from: from }, { secondStepAt, now: now() }))
      throw new Refusal('factorRequired', { from })
    return row
  }
  const subscription = await store.subscriptions.find(id)
  throw new Refusal(whyNot({ needs: 'owner' }, uid, subscription) ?? 'subscriptionNotFound')
}

/**
 * Finishes an earlier change. `isDone` if it was to this plan and is done now; `waiting` if it waits
 * for its buyer.
 */
async function finishEarlierChange(lease: Lease, wish: Wish, services: Services) {
  const { store } = services
  const row = (await store.billing.find(lease.subscriptionId))!
  if (!row.customerId && !row.nextPlanId) return { isDone: false }
  const current = await recover(lease, services)
  // The bank is still processing an earlier payment, and may charge it even if it is given up now.
  if (current?.isProcessing) throw new Refusal('billingBusy')
  const after = (await store.billing.find(lease.subscriptionId))!
  return {
    isDone: row.nextPlanId === wish.planId && hasOffer(after, requireOffer(wish, after.currency)),
    waiting: current && isWaiting(current) ? current : undefined,
  }
}

/** What the caller saw of the change, if the call has a quote. Refuses an outdated one. */
async function readShown(
  { input, lease, user, visit }: RequestOf<'changeSubscriptionPlan'>,
  services: Services,
) {
  if (input.quote === undefined) return undefined
  const row = (await services.store.billing.find(lease.subscriptionId))!
  const { network } = visit
  const { offer, preview } = await previewPlan(row, input, { user, network }, services)
  return readQuote(input.quote, changeOf(row, offer, user.uid), preview, services)
}

async function giveUpChange(
  { subscriptionId }: Lease,
  waiting: ProviderSubscription,
  services: Services,
) {
  const row = (await services.store.billing.find(subscriptionId))!
  const ended = await giveUp(waiting, services)
  if (ended) await finishTriedCard(row, ended, services)
}

/** Checks the change and writes it down. From then on, the seats of the smaller plan count. */
async function beginChange(
  { input, lease, user }: RequestOf<'changeSubscriptionPlan'>,
  { transaction }: Services,
) {
  const { billingInfo } = input
  const { subscriptionId: id } = lease
  return transaction(async (services) => {
    const { store } = services
    const [locked] = await Promise.all([
      store.subscriptions.lockRow(id),
      store.subscriptions.lockOwner(user.uid),
    ])
    const row = locked!
    const { offer, at } = await requirePlanChange(row, input, services)
    const { plan } = offer
    const buys = isFree(row.planId) && !plan.free
    if (buys && !billingInfo) throw new Refusal('billingInfoRequired')
    if (!buys && billingInfo) throw new Refusal('billingInfoNotWanted')
    const trial = billingInfo && requireTrial(offer, input, billingInfo, user)
    const begun = { nextPlanId: plan.id, requestedBy: user.uid }
    await store.billing.update(id, begun)
    return { row: { ...row, ...begun }, offer, at, trial }
  })
}
