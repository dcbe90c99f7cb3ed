import { handle } from '../../handle.ts'

export const getPaymentMethods = handle('getPaymentMethods', async ({ subscription }, { store, payments }) => {
  const { customerId } = (await store.billing.find(subscription.id))!
  if (!customerId) return { paymentMethods: [] }
  const [cards, adders] = await Promise.all([payments.listCards(customerId), store.cards.mapAdders(subscription.id)])
  return { paymentMethods: cards.map(({ id, isDefault, card }) => ({ id, isDefault, card, added_by: adders.get(id) ?? null })) }
})
