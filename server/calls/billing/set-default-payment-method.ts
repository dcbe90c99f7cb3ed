import { ownCustomer } from '../../billing/customer.ts'
import { makeDefault } from '../../billing/default-card.ts'
import { handle } from '../../handle.ts'

export const setDefaultPaymentMethod = handle(
  'setDefaultPaymentMethod',
  async ({ input, subscription: { id }, user }, services) => {
    const customer = ownCustomer((await services.store.billing.find(id))!)
    await makeDefault(
      { subscriptionId: id, ...customer, cardId: input.paymentMethodId, user },
      services,
    )
    return {}
  },
)
