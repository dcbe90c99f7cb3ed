import { ownCustomer } from '../../billing/customer.ts'
import { handle } from '../../handle.ts'

export const setDefaultPaymentMethod = handle('setDefaultPaymentMethod', async ({ input, subscription }, { store, payments }) => {
  const { customerId, planId } = ownCustomer((await store.billing.find(subscription.id))!)
  await payments.setDefaultCard({ customerId, planId, cardId: input.paymentMethodId })
  return {}
})
