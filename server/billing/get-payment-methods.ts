import { isHandingOver } from './handing-over.ts'
import { handle } from '../core/handle.ts'

export const getPaymentMethods = handle(
  'getPaymentMethods',
  async ({ subscription }, { store, payments, jobs }) => {
    const { customerId } = (await store.billing.find(subscription.id))!
    if (!customerId) return { paymentMethods: [] }
    const [cards, adders] = await Promise.all([
      payments.listCards(customerId),
      store.cards.mapAdders(subscription.id),
    ])
    // Of the former owner's cards only that which stays is there any more, whether the provider has heard so or not.
    const shown = (await isHandingOver(subscription.id, { jobs }))
      ? cards.filter(({ id, isDefault }) => isDefault && adders.has(id))
      : cards
    return {
      paymentMethods: shown.map(({ id, isDefault, card }) => ({
        id,
        isDefault,
        card,
        added_by: adders.get(id) ?? null,
      })),
    }
  },
)
