import { finishHandOver } from './hand-over.ts'
import { removeCard } from './remove-card.ts'
import { inTurn } from './turn.ts'
import { handle, type CurrentUser } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'

type Own = { subscriptionId: string; paymentMethodId: string }

export const deleteOwnPaymentMethod = handle(
  'deleteOwnPaymentMethod',
  async ({ input, user }, services) => {
    const own = await services.store.cards.findOf(user.uid, {
      id: input.paymentMethodId,
      subscriptionId: input.subscriptionId,
    })
    // Only now is it clear that they may wait for a turn in this project.
    if (!own) throw new Refusal('paymentMethodNotFound')
    await inTurn(input.subscriptionId, services, async () => {
      await finishHandOver(input.subscriptionId, services)
      await remove(input, user, services)
    })
    return {}
  },
)

async function remove(
  { subscriptionId, paymentMethodId }: Own,
  user: CurrentUser,
  services: Services,
) {
  const { store, payments } = services
  const row = (await store.billing.find(subscriptionId))!
  const { customerId, ownerId } = row
  const card =
    customerId === null
      ? undefined
      : (await payments.listCards(customerId)).find(({ id }) => id === paymentMethodId)
  // It has gone some other way.
  if (!card) return store.cards.remove(paymentMethodId)
  const plan = await payments.findPlanOfCustomer(customerId!)
  const planId = plan && plan.state !== 'ended' ? plan.id : undefined
  if (card.isDefault && planId !== undefined && ownerId === user.uid)
    throw new Refusal('defaultPaymentMethod')
  return removeCard({ row, customerId: customerId!, planId, card, user }, services)
}
