import { contactOf } from './customer.ts'
import { isRefusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'

/** After a transfer, a new address or another language: the provider knows where mails about payments go now, and how the owner reads invoices. */
export async function followOwner(
  { subscriptionId }: { subscriptionId: string },
  services: Services,
) {
  const row = await services.store.billing.find(subscriptionId)
  if (!row?.customerId || row.ownerId === null) return
  await services.payments
    .setCustomer(row.customerId, await contactOf(row, services))
    .catch((error: unknown) => {
      // It was deleted there: the next one that is made gets them.
      if (!isRefusal(error, 'customerNotFound')) throw error
    })
}
