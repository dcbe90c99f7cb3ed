import { ownCustomer } from '../../billing/customer.ts'
import { isFree } from '../../billing/plan-change.ts'
import { recordCardOf } from '../../billing/record-card.ts'
import { handle } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'

export const deletePaymentMethod = handle('deletePaymentMethod', async ({ input, subscription, user }, services) => {
  const { store, payments } = services
  const { customerId } = ownCustomer((await store.billing.find(subscription.id))!)
  const card = (await payments.listCards(customerId)).find(({ id }) => id === input.paymentMethodId)
  if (!card) throw new Refusal('paymentMethodNotFound')
  if (card.isDefault && !isFree(subscription.plan_id)) throw new Refusal('defaultPaymentMethod')
  await payments.removeCard({ customerId, cardId: card.id })
  await recordCardOf({ subscriptionId: subscription.id, user }, 'cardRemoved', card.card, services)
  return {}
})
