import { ownCustomer } from './customer.ts'
import { removeCard } from './remove-card.ts'
import { syncPlan } from './sync.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'

export const deletePaymentMethod = handle(
  'deletePaymentMethod',
  async ({ input, subscription, user }, services) => {
    const { store, payments } = services
    const { customerId } = ownCustomer((await store.billing.find(subscription.id))!)
    const card = (await payments.listCards(customerId)).find(
      ({ id }) => id === input.paymentMethodId,
    )
    if (!card) throw new Refusal('paymentMethodNotFound')
    const plan = await findPlan(customerId, services)
    if (plan && (card.isDefault || plan.newCard === card.id))
      throw new Refusal('defaultPaymentMethod')
    await removeCard({ row: subscription, customerId, planId: undefined, card, user }, services)
    return {}
  },
)

/** As the provider says: of what the bank has just allowed our row may not have heard yet. */
async function findPlan(customerId: string, services: Services) {
  const newest = await services.payments.findPlanOfCustomer(customerId)
  const plan = newest && (await syncPlan(newest.id, services))
  return plan?.state === 'ended' ? undefined : plan
}
