import { billingLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { insist, undoIfLost } from '../core/insist.ts'
import type { Services } from '../core/services.ts'
import type { CustomerId, SubscriptionId } from '../platform/ids.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import type { BillingRow, Lease } from '../store/billing.ts'
import { removeCard } from './cards.ts'
import { contactOf, isTransferring, transferKey } from './customer.ts'
import { giveUp, isWaiting } from './purchase.ts'
import { syncProviderSubscription } from './sync.ts'

/**
 * Runs `work` with the lease on a subscription's billing, which expires if the server dies.
 * Refuses with `billingBusy` if another request still holds it after `wait` milliseconds.
 * Finishes an open transfer first, because it would remove what the new owner adds in `work`.
 */
export async function withBillingLease<Answer>(
  subscriptionId: SubscriptionId,
  services: Services,
  work: (lease: Lease) => Promise<Answer>,
  { wait = billingLimits.waitForLease }: { wait?: number } = {},
): Promise<Answer> {
  const lease = await acquire(subscriptionId, services, Date.now() + wait)
  const release = () => services.store.billing.releaseLease(lease)
  const answer = await finishTransfer(lease, services)
    .then(() => work(lease))
    .catch(async (error: unknown) => {
      await insist(release, error)
      throw error
    })
  await insist(release)
  return answer
}

async function acquire(id: SubscriptionId, services: Services, giveUpAt: number) {
  const { now, serverId: by } = services
  const { billing } = services.store
  for (;;) {
    const until = after(now(), billingLimits.lease)
    const lease = await undoIfLost(billing.acquireLease(id, { by, now: now(), until }), () =>
      billing.releaseLease({ subscriptionId: id, by, until }),
    )
    if (lease) return lease
    if (Date.now() >= giveUpAt) throw new Refusal('billingBusy')
    await delay(50)
  }
}

/** Removes the former owner's cards, details and waiting change. Repeating it is safe. */
export async function finishTransfer({ subscriptionId }: Lease, services: Services) {
  if (!(await isTransferring(subscriptionId, services))) return
  const row = await services.store.billing.find(subscriptionId)
  if (row?.customerId)
    await clearFormerOwner(row, row.customerId, services).catch((error: unknown) => {
      // A customer that was deleted at the provider has no data there.
      if (!isRefusal(error, 'customerNotFound')) throw error
    })
  await services.jobs.remove(transferKey(subscriptionId))
}

async function clearFormerOwner(row: BillingRow, customerId: CustomerId, services: Services) {
  const { payments, store } = services
  const subscriptionId = row.id
  await payments.cancelCardSetups(customerId)
  const current = await payments.findNewestProviderSubscription(customerId)
  if (current && isWaiting(current)) await giveUp(current, services)
  for (const card of await payments.listCards(customerId)) {
    // `cards.has` alone is no proof: an event may have stored another card of the former owner.
    if (card.isDefault && (await store.cards.has(card.id))) continue
    const of = { subscriptionId, customerId, providerSubscriptionId: current?.id }
    await removeCard(card, of, services)
  }
  await payments.clearBillingDetails(customerId)
  if (row.ownerId !== null)
    await payments.updateCustomer(customerId, await contactOf(row, services))
  await store.billing.update(subscriptionId, { nextPlanId: null })
  if (current) await syncProviderSubscription(current.id, services)
}
