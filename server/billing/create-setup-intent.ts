import { withCustomer } from './customer.ts'
import { handle } from '../core/handle.ts'

export const createSetupIntent = handle(
  'createSetupIntent',
  async ({ subscription, user }, services) => {
    const { attempts, store, payments } = services
    await attempts.take('cardsByAccount', user.uid)
    const row = (await store.billing.find(subscription.id))!
    return {
      clientSecret: await withCustomer(row, services, (customerId) =>
        payments.addCard({ customerId, addedBy: user.uid }),
      ),
    }
  },
)
