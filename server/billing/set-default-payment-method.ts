import { ownCustomer } from './customer.ts'
import { makeDefault } from './default-card.ts'
import { handle } from '../core/handle.ts'

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
