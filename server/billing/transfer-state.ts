import type { Services } from '../core/services.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import type { ProviderCard } from '../providers/payments/payments.ts'

/** The job `finishTransfer` exists until the provider has carried out the transfer. */
function transferKey(subscriptionId: SubscriptionId) {
  return `transfer ${subscriptionId}`
}

/** During a transfer, the provider may still have the former owner's cards and details. */
export async function isTransferring(
  subscriptionId: SubscriptionId,
  { jobs }: Pick<Services, 'jobs'>,
) {
  return (await jobs.findTries(transferKey(subscriptionId))) !== undefined
}

/** Removes the former owner's data except `keptCard` from our store, within the transfer. */
export async function beginTransfer(
  subscriptionId: SubscriptionId,
  { keptCard, addedBy }: { keptCard: ProviderCard | undefined; addedBy: string },
  { store, jobs, now }: Services,
) {
  const row = (await store.billing.find(subscriptionId))!
  await store.cards.removeAllBut(subscriptionId, keptCard?.id)
  if (keptCard) await store.cards.add({ ...keptCard, subscriptionId, addedBy, now: now() })
  const losesCard = !keptCard && row.providerSubscriptionId !== null
  await Promise.all([
    store.billing.update(subscriptionId, {
      billingEmail: null,
      purchaseOrder: null,
      invoiceFooter: null,
      ...(losesCard && { hasCard: false }),
    }),
    jobs.add('finishTransfer', { subscriptionId }, { key: transferKey(subscriptionId) }),
  ])
}

export async function endTransfer(
  subscriptionId: SubscriptionId,
  { jobs }: Pick<Services, 'jobs'>,
) {
  await jobs.remove(transferKey(subscriptionId))
}
