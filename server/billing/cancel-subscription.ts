import { cancelProject } from './cancel-project.ts'
import { syncPlan } from './sync.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'

export const cancelSubscription = handle(
  'cancelSubscription',
  async ({ input: { confirmationId }, subscription: { id }, user }, services) => {
    if (confirmationId !== id) throw new Refusal('subscriptionIdMismatch')
    const { payments, store, transaction } = services
    const { planAtProviderId, customerId } = (await store.billing.find(id))!
    // A purchase whose answer was lost may have come through.
    const planId =
      planAtProviderId ??
      (customerId ? (await payments.findPlanOfCustomer(customerId))?.id : undefined)
    if (planId !== undefined) {
      // The first to learn that the plan has ended writes who wanted it; if nobody here does, the reconcile job asks.
      await store.billing.set(id, { askedBy: user.uid })
      await payments.endPlan(planId)
      await syncPlan(planId, services)
    }
    await transaction(async (services) => {
      await services.store.subscriptions.lock(id)
      if (planId === undefined) await services.store.billing.set(id, { askedBy: user.uid })
      await cancelProject((await services.store.billing.find(id))!, 'asked', services)
    })
    return {}
  },
)
