import { holds, isAdmin, ownerPermissions, permissionEntries, whyNot } from '#contract/access.ts'
import { calls } from '#contract/calls.ts'
import type { BillingInfo, EpochSeconds, PayerPlace } from '#contract/entities.ts'
import { findPerson, record } from '../activity/record.ts'
import { handle, type CurrentUser } from '../core/handle.ts'
import type { Services } from '../core/services.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { ProviderCard } from '../providers/payments/payments.ts'
import type { BillingRow } from '../store/billing.ts'
import { buyPlan } from './buy-plan.ts'
import { cancelProject } from './cancel-project.ts'
import { charge } from './charge.ts'
import { requireRoomForFree } from './free-projects.ts'
import { beginHandOver, finishHandOver } from './hand-over.ts'
import { offeredPlan, type KnownPlan } from './offered-plan.ts'
import { isFree, plannedChange } from './plan-change.ts'
import { toEntity } from './preview.ts'
import { newQuote, readQuote } from './quote.ts'
import { recordPlan } from './record-plan.ts'
import { removeCardsOfOthers } from './remove-card.ts'
import { giveUp, isWaiting, settle } from './settle.ts'
import { syncPlan } from './sync.ts'
import { settleCard } from './tried-card.ts'

const nothing = { lines: [], total: 0, creditUsed: 0, due: 0, weekly: 0, until: 0, at: undefined }

export const previewSubscription = handle(
  'previewSubscription',
  async ({ input: { planId, address }, user }, { rateLimits, payments }) => {
    const plan = offeredPlan(planId)
    const [priceId] = plan.priceIds
    if (priceId === undefined)
      return { preview: toEntity({ ...nothing, currency: plan.currencyCode }, plan) }
    await rateLimits.consume('previewsByAccount', user.uid)
    return { preview: toEntity(await payments.previewStart({ priceId, address }), plan) }
  },
)

export const previewPlanChange = handle(
  'previewPlanChange',
  async ({ input: { planId, address }, subscription, user }, services) => {
    await services.rateLimits.consume('previewsByAccount', user.uid)
    const row = (await services.store.billing.find(subscription.id))!
    const plan = await plannedChange(row, planId, services)
    const preview = await previewOf({ row, plan, address }, services)
    const shown = { subscriptionId: row.id, from: row.planId, to: plan.id, userId: user.uid }
    return {
      preview: toEntity(preview, plan),
      ...(preview.at !== undefined && { quote: newQuote(shown, preview.at, services) }),
    }
  },
)

type Asked = { row: BillingRow; plan: KnownPlan; address: PayerPlace | undefined }

function previewOf({ row, plan, address }: Asked, { payments }: Services) {
  const priceId = plan.priceIds[0]
  if (priceId === undefined) return payments.previewEnd(row.providerSubscriptionId!)
  if (isFree(row.planId))
    return payments.previewStart({ customerId: row.customerId ?? undefined, priceId, address })
  return payments.previewChange({ planId: row.providerSubscriptionId!, priceId })
}

type Wish = {
  planId: string
  billingInfo: BillingInfo | undefined
  quote: string | undefined
  user: CurrentUser
}
type Change = Pick<Wish, 'billingInfo' | 'user'> & {
  row: BillingRow
  plan: KnownPlan
  at: EpochSeconds | undefined
  attempt: string
}

export const changeSubscriptionPlan = handle(
  'changeSubscriptionPlan',
  async ({ input, subscription, user }, services) => {
    const { planId, billingInfo, quote } = input
    const isDone = await settleEarlier(subscription.id, planId, services)
    if (isDone) return {}
    const { row, plan, at } = await begin(
      subscription.id,
      { planId, billingInfo, quote, user },
      services,
    )
    return change({ row, plan, at, billingInfo, attempt: newId(), user }, services)
  },
)

/** What an earlier attempt left, one that waits at the bank included, comes to its end first. Whether it was this change, and is done. */
async function settleEarlier(id: string, planId: string, services: Services) {
  const { store } = services
  const row = (await store.billing.find(id))!
  if (!row.customerId && !row.nextPlanId) return false
  const begun = await settle(row, services)
  // The bank is at it: a purchase given up now might be charged all the same.
  if (begun?.isProcessing) throw new Refusal('billingBusy')
  if (begun && isWaiting(begun)) {
    const ended = await giveUp(begun, services)
    if (ended) await settleCard(row, ended, services)
  }
  return row.nextPlanId === planId && (await store.billing.find(id))!.planId === planId
}

/** Own row first: from here on there are only the seats that both plans have. */
async function begin(id: string, { planId, billingInfo, quote, user }: Wish, services: Services) {
  return services.transaction(async (services) => {
    const { store } = services
    await store.subscriptions.lock(id)
    await store.subscriptions.lockOwner(user.uid)
    const row = (await store.billing.find(id))!
    const plan = await plannedChange(row, planId, services)
    const buys = isFree(row.planId) && !plan.free
    if (buys && !billingInfo) throw new Refusal('billingInfoRequired')
    if (!buys && billingInfo) throw new Refusal('billingInfoNotWanted')
    const shown = { subscriptionId: id, from: row.planId, to: plan.id, userId: user.uid }
    const at = quote === undefined ? undefined : readQuote(quote, shown, services)
    const asked = { nextPlanId: plan.id, requestedBy: user.uid }
    await store.billing.set(id, asked)
    return { row: { ...row, ...asked }, plan, at }
  })
}

async function change({ row, plan, at, billingInfo, attempt, user }: Change, services: Services) {
  const { payments } = services
  const subscriptionId = row.id
  if (billingInfo) {
    const answer = await buyPlan({ subscriptionId, plan, billingInfo, attempt, user }, services)
    await removeCardsOfOthers(subscriptionId, user, services)
    return answer
  }
  const planId = row.providerSubscriptionId
  if (planId === null) {
    await services.transaction(async (services) => {
      await services.store.billing.set(subscriptionId, { planId: plan.id, nextPlanId: null })
      await recordPlan(row, plan.id, services)
    })
    return {}
  }
  return charge({ subscriptionId, user }, services, async () => {
    if (plan.free) await payments.endPlan(planId, plan.id)
    else await payments.changePlan({ planId, priceId: plan.priceIds[0]!, attempt, at })
    return planId
  })
}

export const completePayment = handle(
  'completePayment',
  async ({ input: { subscriptionId }, user }, services) => {
    const { store, payments } = services
    const row = await store.billing.find(subscriptionId)
    if (row?.ownerId !== user.uid)
      throw new Refusal(
        whyNot({ needs: 'owner' }, user.uid, await store.subscriptions.find(subscriptionId)) ??
          'subscriptionNotFound',
      )
    const plan = row.providerSubscriptionId
      ? await payments.findPlan(row.providerSubscriptionId, { mayOweMore: true })
      : undefined
    if (!plan && row.status === 'incomplete') throw new Refusal('paymentIncomplete')
    if (plan?.clientSecret !== undefined) throw new Refusal('paymentIncomplete')
    if (plan) await settle(row, services)
    if (plan?.declineCode !== undefined)
      throw new Refusal('cardDeclined', { declineCode: plan.declineCode })
    await removeCardsOfOthers(subscriptionId, user, services)
    return plan?.isProcessing ? { processing: true } : {}
  },
)

export const cancelSubscription = handle(
  'cancelSubscription',
  async ({ input: { confirmationId }, subscription: { id }, user }, services) => {
    if (confirmationId !== id) throw new Refusal('subscriptionIdMismatch')
    const { payments, store, transaction } = services
    const { providerSubscriptionId, customerId } = (await store.billing.find(id))!
    // A purchase whose answer was lost may have come through.
    const planId =
      providerSubscriptionId ??
      (customerId ? (await payments.findPlanOfCustomer(customerId))?.id : undefined)
    if (planId !== undefined) {
      // The first to learn that the plan has ended writes who wanted it; if nobody here does, the reconcile job asks.
      await store.billing.set(id, { requestedBy: user.uid })
      await payments.endPlan(planId)
      await syncPlan(planId, services)
    }
    await transaction(async (services) => {
      await services.store.subscriptions.lock(id)
      if (planId === undefined) await services.store.billing.set(id, { requestedBy: user.uid })
      await cancelProject((await services.store.billing.find(id))!, 'asked', services)
    })
    return {}
  },
)

type Transfer = {
  id: string
  newOwnerId: string
  user: CurrentUser
  kept: ProviderCard | undefined
}

export const transferSubscriptionOwnership = handle(
  'transferSubscriptionOwnership',
  async ({ input: { newOwnerId, keepCard }, subscription: { id }, user }, services) => {
    await refuseWhileProcessing(id, services)
    const kept = keepCard ? await findOwnDefault(id, user, services) : undefined
    await services.transaction((services) => transfer({ id, newOwnerId, user, kept }, services))
    // It is done; what the provider can't be told now, a job tells it.
    await finishHandOver(id, services).catch((error: unknown) => {
      services.log.warn(
        { err: error, subscription: id },
        'the provider has not heard of a transfer yet',
      )
    })
    return {}
  },
)

/** The bank is at it: a purchase given up now might be charged all the same. */
async function refuseWhileProcessing(id: string, { store, payments }: Services) {
  const { nextPlanId, providerSubscriptionId } = (await store.billing.find(id))!
  const plan =
    nextPlanId !== null && providerSubscriptionId !== null
      ? await payments.findPlan(providerSubscriptionId)
      : undefined
  if (plan?.isProcessing) throw new Refusal('billingBusy')
}

/** The card that the plan is paid with, if it is for this owner to leave: one of somebody before them goes. */
async function findOwnDefault(id: string, user: CurrentUser, { store, payments }: Services) {
  const { customerId, providerSubscriptionId } = (await store.billing.find(id))!
  if (customerId === null || providerSubscriptionId === null) return undefined
  const card = (await payments.listCards(customerId)).find(({ isDefault }) => isDefault)
  const adder = card && (await store.cards.mapAdders(id)).get(card.id)
  return adder === undefined || adder.id === user.uid ? card : undefined
}

async function transfer({ id, newOwnerId, user, kept }: Transfer, services: Services) {
  const { store, jobs } = services
  await store.subscriptions.lock(id)
  const subscription = await store.subscriptions.find(id)
  const reason = whyNot(calls.transferSubscriptionOwnership, user.uid, subscription)
  if (reason) throw new Refusal(reason)
  const { owner_id: ownerId, plan_id: planId } = subscription!
  if (newOwnerId === ownerId || !isAdmin(subscription!, newOwnerId))
    throw new Refusal('notEligibleOwner')
  if (!(await store.subscriptions.lockOwner(newOwnerId))) throw new Refusal('notEligibleOwner')
  if (isFree(planId)) await requireRoomForFree(newOwnerId, id, services)
  const permissions = permissionEntries
    .map(([key]) => key)
    .filter((key) => ownerPermissions.includes(key) || holds(subscription!, newOwnerId, key))
  await store.subscriptions.setOwner(id, newOwnerId)
  await store.members.setPermissions({ subscriptionId: id, userId: newOwnerId, permissions })
  await record(
    'ownershipTransferred',
    { by: user, to: await findPerson(newOwnerId, services), in: id },
    services,
  )
  await beginHandOver((await store.billing.find(id))!, { kept, by: user }, services)
  await jobs.add('tellOfTransfer', { subscriptionId: id, from: user.uid, to: newOwnerId })
}
