import { ownerPermissions } from '#contract/access.ts'
import { changedFields, record } from '../activity/record.ts'
import { buyPlan } from '../billing/buy-plan.ts'
import { attemptOf } from '../billing/customer.ts'
import { requireRoomForFree } from '../billing/free-projects.ts'
import { offeredPlan, type KnownPlan } from '../billing/offered-plan.ts'
import { settle } from '../billing/settle.ts'
import { inTurn } from '../billing/turn.ts'
import { handle, type CurrentUser } from '../core/handle.ts'
import type { Services } from '../core/services.ts'
import { idFrom, newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'

export const listSubscriptions = handle('listSubscriptions', async ({ input, user }, { store }) => {
  const { page, pageSize, search, sort } = input
  if (page === undefined && !search && sort === 'newest') {
    const subscriptions = await store.subscriptions.listOf(user.uid)
    return { subscriptions, total: subscriptions.length }
  }
  return store.subscriptions.pageOf(user.uid, { page: page ?? 1, pageSize, search, sort })
})

export const createSubscription = handle(
  'createSubscription',
  async ({ input: { planId, billingInfo }, user, key }, services) => {
    const plan = offeredPlan(planId)
    // After a crash, a repeated request finds the subscription that the first one began.
    const id = key ? idFrom(key.userId, key.key) : newId()
    if (plan.free) {
      if (billingInfo) throw new Refusal('billingInfoNotWanted')
      await addRow(id, plan, user, 'active', services)
      return { subscriptionId: id }
    }
    if (!billingInfo) throw new Refusal('billingInfoRequired')
    await addRow(id, plan, user, 'incomplete', services)
    return inTurn(id, services, async () => {
      const begun = await settleEarlier(id, services)
      // An earlier try was undone and its row removed; the next try makes another.
      if (!begun) throw new Refusal('billingBusy')
      if (begun.status !== 'incomplete') return { subscriptionId: id }
      // The account was deleted before we got the lease. From now on, deleting waits for this.
      if (begun.ownerId === null) throw new Refusal('sessionEnded')
      const bought = await buyPlan(
        { subscriptionId: id, plan, billingInfo, attempt: attemptOf(begun), user },
        services,
      )
      return { subscriptionId: id, ...bought }
    })
  },
)

async function addRow(
  id: string,
  plan: KnownPlan,
  user: CurrentUser,
  status: 'active' | 'incomplete',
  { transaction, now }: Services,
) {
  await transaction(async (services) => {
    if (plan.free) {
      await services.store.subscriptions.lockOwner(user.uid)
      await requireRoomForFree(user.uid, id, services)
    }
    const row = {
      id,
      ownerId: user.uid,
      planId: plan.id,
      status,
      permissions: ownerPermissions,
      now: now(),
    }
    const isNew = await services.store.subscriptions.add(row)
    // A paid one is recorded when it is paid.
    if (isNew && status === 'active')
      await record('projectCreated', { by: user, in: id, details: { plan: plan.id } }, services)
  })
}

/** A purchase that an earlier try began may have ended or been paid since. */
async function settleEarlier(id: string, services: Services) {
  const { store } = services
  const row = await store.billing.find(id)
  if (row?.status !== 'incomplete' || !row.providerSubscriptionId) return row
  await settle(row, services)
  return store.billing.find(id)
}

export const getSubscription = handle('getSubscription', async ({ subscription }) => ({
  subscription,
}))

export const updateSubscriptionSettings = handle(
  'updateSubscriptionSettings',
  async ({ input, subscription, user }, services) => {
    const { id } = subscription
    const fields = changedFields(subscription.settings, input.settings)
    await services.store.subscriptions.setSettings(id, input.settings)
    if (fields.length > 0)
      await record('settingsChanged', { by: user, in: id, details: { fields } }, services)
    return {}
  },
)
