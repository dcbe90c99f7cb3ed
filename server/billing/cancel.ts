import { billing } from '#config/billing.ts'
import { requesterId, type Requester } from '../activity/record.ts'
import type { Services } from '../core/services.ts'
import type { Lease } from '../store/billing.ts'
import { syncProviderSubscription, writeCancellation } from './sync.ts'

/** Cancels a project at the provider and here. The caller has checked that `by` may do it. */
export async function cancelProject(
  { subscriptionId: id }: Lease,
  { by }: { by: Requester },
  services: Services,
) {
  const { payments, store, transaction } = services
  const { providerSubscriptionId, customerId } = (await store.billing.find(id))!
  // A purchase may have succeeded at the provider although its answer was lost.
  const newest =
    providerSubscriptionId ??
    (customerId && (await payments.findNewestProviderSubscription(customerId))?.id)
  // The call below, an event or a job writes the cancellation and records who asked for it.
  await transaction(({ store }) => store.billing.setRequester(id, requesterId(by)))
  if (newest) {
    await payments.endProviderSubscription(newest, { isRefunded: billing.refundUnused })
    await syncProviderSubscription(newest, services)
  }
  await transaction(async (services) => {
    const row = (await services.store.subscriptions.lockRow(id))!
    await writeCancellation(row, 'asked', services)
  })
}
