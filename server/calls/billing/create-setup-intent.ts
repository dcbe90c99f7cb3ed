import { customerOf } from '../../billing/customer.ts'
import { handle } from '../../handle.ts'

export const createSetupIntent = handle('createSetupIntent', async ({ subscription, user }, services) => {
  const { attempts, store, payments } = services
  await attempts.take('cardsByAccount', user.uid)
  const customerId = await customerOf((await store.billing.find(subscription.id))!, services)
  return { clientSecret: await payments.addCard(customerId) }
})
