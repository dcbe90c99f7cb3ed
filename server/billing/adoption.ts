import type { JobPayloads } from '../core/jobs.ts'
import type { Services } from '../core/services.ts'
import { syncProviderSubscription } from './sync.ts'

/**
 * Takes over the provider subscription of a project that was moved here. Its invoices come first:
 * once the provider tells of them, each that we don't know yet gets a receipt.
 */
export async function adoptProviderSubscription(
  { subscriptionId }: JobPayloads['adoptProviderSubscription'],
  services: Services,
) {
  const { payments, store, transaction } = services
  const id = (await store.billing.find(subscriptionId))?.providerSubscriptionId
  if (!id) return
  for await (const invoice of payments.listInvoices({ of: id }))
    await transaction(async ({ store }) => {
      const row = await store.subscriptions.lockRow(subscriptionId)
      const former = await store.invoices.find(invoice.id)
      if (row && !former) await store.invoices.put(row.id, invoice, former)
    })
  await payments.adoptProviderSubscription({ id, subscriptionId })
  await syncProviderSubscription(id, services)
}
