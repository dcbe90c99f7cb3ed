import { handle } from '../../handle.ts'

export const getPaymentMethods = handle('getPaymentMethods', async ({ subscription }, { store, payments }) => {
  const { customerId } = (await store.billing.find(subscription.id))!
  return { paymentMethods: customerId ? await payments.listCards(customerId) : [] }
})
