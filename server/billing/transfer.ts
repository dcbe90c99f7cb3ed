import { allPermissions, holds, isAdmin, ownerPermissions, whyNot } from '#contract/access.ts'
import { calls } from '#contract/calls.ts'
import { findPerson, isOperator, record, type Operator } from '../activity/record.ts'
import { beginFor } from '../core/begin-for.ts'
import type { CurrentUser, Services } from '../core/services.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { ProviderCard } from '../providers/payments/payments.ts'
import type { Lease } from '../store/billing.ts'
import type { Key } from '../store/idempotency.ts'
import { beginTransfer } from './customer.ts'
import { finishTransfer } from './lease.ts'
import { isFree, requireRoomForFree } from './plans.ts'

type Transfer = {
  newOwnerId: string
  /** A card of the former owner that goes on paying. */
  keptCard?: ProviderCard | undefined
  by: CurrentUser | Operator
  key?: Key | undefined
}

/** Makes an administrator of the project its owner. Only the owner and operators may do it. */
export async function transferProject(
  lease: Lease,
  { newOwnerId, keptCard, by, key }: Transfer,
  services: Services,
) {
  const { subscriptionId: id } = lease
  await refuseWhileProcessing(id, services)
  await services.transaction(async (services) => {
    const from = await changeOwner(id, newOwnerId, by, services)
    await beginTransfer(id, { keptCard, addedBy: from }, services)
    await services.jobs.add('mailTransfer', { subscriptionId: id, from, to: newOwnerId })
    await beginFor(key, { refusal: 'ownerOnly', result: {} }, services)
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
  const { store } = services
  await store.subscriptions.lock({ id })
  const subscription = await store.subscriptions.find(id)
  const caller = isOperator(by) ? subscription?.owner_id : by.uid
  const reason = whyNot(calls.transferSubscriptionOwnership, caller, subscription)
  if (reason) throw new Refusal(reason)
  const { owner_id: ownerId, plan_id: planId } = subscription!
  if (newOwnerId === ownerId || !isAdmin(subscription!, newOwnerId))
    throw new Refusal('notEligibleOwner')
  if (!(await store.subscriptions.lockOwner(newOwnerId))) throw new Refusal('notEligibleOwner')
  if (isFree(planId)) await requireRoomForFree(newOwnerId, id, services)
  const permissions = allPermissions.filter(
    (key) => ownerPermissions.includes(key) || holds(subscription!, newOwnerId, key),
  )
  await store.subscriptions.setOwner(id, newOwnerId)
  await store.members.setPermissions({ subscriptionId: id, userId: newOwnerId, permissions })
  const to = await findPerson(newOwnerId, services)
  await record('ownershipTransferred', { by, to, in: id }, services)
  return ownerId
}
