import { contactOf } from '../billing/customer.ts'
import type { Services } from '../services.ts'

/** After a transfer or a new address: the provider's customer is known by where mails about payments go now. */
export async function followOwner({ subscriptionId }: { subscriptionId: string }, services: Services) {
  const row = await services.store.billing.find(subscriptionId)
  if (!row?.customerId || row.ownerId === null) return
  await services.payments.setCustomer(row.customerId, { email: await contactOf(row, services) })
}
