import { requesterId, type Requester } from '../activity/record.ts'
import { beginFor } from '../core/begin-for.ts'
import type { Services } from '../core/services.ts'
import type { Lease } from '../store/billing.ts'
import type { Key } from '../store/idempotency.ts'
import { syncProviderSubscription, writeCancellation } from './sync.ts'

/** Cancels a project at the provider and here. The caller has checked that `by` may do it. */
export async function cancelProject(
  { subscriptionId: id }: Lease,
  { by, key }: { by: Requester; key?: Key | undefined },
  services: Services,
) {
  const { payments, store, transaction } = services
  const { providerSubscriptionId, customerId } = (await store.billing.find(id))!
  // A purchase may have succeeded at the provider although its answer was lost.
  const newest =
    providerSubscriptionId ??
    (customerId && (await payments.findNewestProviderSubscription(customerId))?.id)
  // The call below, an event or a job writes the cancellation and records who asked for it.
  await transaction(async (services) => {
    await services.store.billing.update(id, { requestedBy: requesterId(by) })
    await beginFor(key, { refusal: 'subscriptionCanceled', result: {} }, services)
  })
  if (newest) {
    await payments.endProviderSubscription(newest)
    await syncProviderSubscription(newest, services)
  }
  await transaction(async (services) => {
    const row = (await services.store.subscriptions.lockRow(id))!
    await writeCancellation(row, 'asked', services)
  })
}
