import { holds, isAdmin, ownerPermissions, permissionEntries, whyNot } from '#contract/access.ts'
import { calls } from '#contract/calls.ts'
import { findPerson, person, record } from '../activity/activity.ts'
import { beginHandOver, finishHandOver } from './hand-over.ts'
import { isFree } from './plan-change.ts'
import { requireRoomForFree } from '../subscriptions/free-projects.ts'
import { handle, type CurrentUser } from '../core/handle.ts'
import type { ProviderCard } from '../providers/payments/payments.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'

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
  const { nextPlanId, planAtProviderId } = (await store.billing.find(id))!
  const plan =
    nextPlanId !== null && planAtProviderId !== null
      ? await payments.findPlan(planAtProviderId)
      : undefined
  if (plan?.isProcessing) throw new Refusal('billingBusy')
}

/** The card that the plan is paid with, if it is for this owner to leave: one of somebody before them goes. */
async function findOwnDefault(id: string, user: CurrentUser, { store, payments }: Services) {
  const { customerId, planAtProviderId } = (await store.billing.find(id))!
  if (customerId === null || planAtProviderId === null) return undefined
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
    { by: person(user), to: await findPerson(newOwnerId, services), in: id },
    services,
  )
  await beginHandOver((await store.billing.find(id))!, { kept, by: user }, services)
  await jobs.add('tellOfTransfer', { subscriptionId: id, from: user.uid, to: newOwnerId })
}
