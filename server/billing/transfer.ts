import { allPermissions, holds, isAdmin, ownerPermissions, whyNot } from '#contract/access.ts'
import { calls } from '#contract/calls.ts'
import { isOperator, record, type Operator } from '../activity/record.ts'
import type { CurrentUser, Services } from '../core/services.ts'
import type { CustomerId, SubscriptionId } from '../platform/ids.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type { ProviderCard } from '../providers/payments/payments.ts'
import type { BillingRow, Lease } from '../store/billing.ts'
import { removeCard } from './cards.ts'
import { contactOf } from './customer.ts'
import { isFree, requireRoomForFree } from './plans.ts'
import { endChange, giveUp, isWaiting } from './purchase.ts'
import { syncProviderSubscription } from './sync.ts'
import { beginTransfer, endTransfer, isTransferring } from './transfer-state.ts'

type Transfer = {
  newOwnerId: string
  /** A card of the former owner that goes on paying. */
  keptCard?: ProviderCard | undefined
  /** The owner, an operator, or the new owner, to whom the owner has offered it. */
  by: CurrentUser | Operator
}

/** Makes an administrator of the project its owner. */
export async function transferProject(
  lease: Lease,
  { newOwnerId, keptCard, by }: Transfer,
  services: Services,
) {
  const { subscriptionId: id } = lease
  await refuseWhileProcessing(id, services)
  await services.transaction(async (services) => {
    const from = await changeOwner(id, newOwnerId, by, services)
    await Promise.all([
      beginTransfer(id, { keptCard, addedBy: from }, services),
      services.jobs.add('mailTransfer', { subscriptionId: id, from, to: newOwnerId }),
    ])
  })
  // If the provider can't be reached now, the job `finishTransfer` tries again.
  await finishTransfer(lease, services).catch((error: unknown) => {
    services.log.warn(
      { err: error, subscription: id },
      'the provider has not heard of a transfer yet',
    )
  })
}

/** While the bank processes the payment for a change, it may charge it even if it is given up. */
async function refuseWhileProcessing(id: SubscriptionId, { store, payments }: Services) {
  const { nextPlanId, providerSubscriptionId } = (await store.billing.find(id))!
  if (nextPlanId === null || providerSubscriptionId === null) return
  const current = await payments.findProviderSubscription(providerSubscriptionId)
  if (current?.isProcessing) throw new Refusal('billingBusy')
}

/** Returns the id of the former owner. */
async function changeOwner(
  id: SubscriptionId,
  newOwnerId: string,
  by: CurrentUser | Operator,
  services: Services,
) {
  const { store, now } = services
  const isAccepted = !isOperator(by) && by.uid === newOwnerId
  const giver = isAccepted || isOperator(by) ? undefined : by
  const { subscription, newOwner } = await requireTransfer(id, newOwnerId, giver, services)
  if (isAccepted) {
    const offer = await store.ownershipOffers.find({ subscriptionId: id, now: now() })
    if (offer?.userId !== newOwnerId) throw new Refusal('ownershipNotOffered')
  }
  const { owner_id: ownerId } = subscription
  const permissions = allPermissions.filter(
    (key) => ownerPermissions.includes(key) || holds(subscription, newOwnerId, key),
  )
  await Promise.all([
    store.subscriptions.setOwner(id, newOwnerId),
    store.members.setPermissions({ subscriptionId: id, userId: newOwnerId, permissions }),
    store.ownershipOffers.remove({ subscriptionId: id }),
    isAccepted
      ? record('ownershipAccepted', { by, to: { id: ownerId }, in: id }, services)
      : record('ownershipTransferred', { by, to: newOwner, in: id }, services),
  ])
  return ownerId
}

/** Locks the project and who may get it. Without a giver, somebody else may give it than its owner. */
export async function requireTransfer(
  id: SubscriptionId,
  newOwnerId: string,
  giver: CurrentUser | undefined,
  services: Services,
) {
  const { store } = services
  const [, subscription] = await Promise.all([
    store.subscriptions.lock({ id }),
    store.subscriptions.find(id),
  ])
  const caller = giver ? giver.uid : subscription?.owner_id
  const reason = whyNot(calls.transferSubscriptionOwnership, caller, subscription)
  if (reason) throw new Refusal(reason)
  const { owner_id: ownerId, plan_id: planId, second_factor_from: from } = subscription!
  const isEligible = newOwnerId !== ownerId && isAdmin(subscription!, newOwnerId)
  if (!isEligible || !(await store.subscriptions.lockOwner(newOwnerId)))
    throw new Refusal('notEligibleOwner')
  if (from !== null && !(await store.factors.has(newOwnerId)))
    throw new Refusal('factorRequired', { from, newOwner: newOwnerId })
  if (isFree(planId)) await requireRoomForFree(newOwnerId, id, services)
  const newOwner = (await store.users.find(newOwnerId))!
  return { subscription: subscription!, newOwner }
}

/** Removes the former owner's cards, details and waiting change. Repeating it is safe. */
export async function finishTransfer({ subscriptionId }: Lease, services: Services) {
  if (!(await isTransferring(subscriptionId, services))) return
  const row = await services.store.billing.find(subscriptionId)
  if (row?.customerId)
    await clearFormerOwner(row, row.customerId, services).catch((error: unknown) => {
      // A customer that was deleted at the provider has no data there.
      if (!isRefusal(error, 'customerNotFound')) throw error
    })
  await endTransfer(subscriptionId, services)
}

async function clearFormerOwner(row: BillingRow, customerId: CustomerId, services: Services) {
  const { payments, store } = services
  const subscriptionId = row.id
  await payments.cancelCardSetups(customerId)
  const current = await payments.findNewestProviderSubscription(customerId)
  if (current && isWaiting(current)) await giveUp(current, services)
  for (const card of await payments.listCards(customerId)) {
    // `cards.has` alone is no proof: an event may have stored another card of the former owner.
    if (card.isDefault && (await store.cards.has(card.id))) continue
    const of = { subscriptionId, customerId, providerSubscriptionId: current?.id }
    await removeCard(card, of, services)
  }
  await payments.clearBillingDetails(customerId)
  if (current?.next?.isOwn) await payments.takeBack(current.id)
  if (row.ownerId !== null)
    await payments.updateCustomer(customerId, await contactOf(row, services))
  await endChange(subscriptionId, services)
  if (current) await syncProviderSubscription(current.id, services)
}
