import { billingLimits } from '#config/limits.ts'
import type { CallOutput } from '#contract/calls.ts'
import type { PurchaseFound } from '#contract/entities.ts'
import type { Services } from '../core/services.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { isRefusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import type { Lease } from '../store/billing.ts'
import { withBillingLease } from './lease.ts'
import { giveUp, recover } from './purchase.ts'

/** The purchases of a user whose outcome the app acknowledges, the newest first. */
export function listPurchases(ownerId: string, { store, now }: Pick<Services, 'store' | 'now'>) {
  const since = after(now(), -billingLimits.purchaseLookedFor)
  return store.subscriptions.listPurchases({ ownerId, since })
}

/**
 * Finishes or undoes a purchase, and tells its state: `working` while another request has it, and
 * while the provider does not answer.
 */
export async function recoverNow(
  id: SubscriptionId,
  services: Services,
): Promise<PurchaseFound['state']> {
  const tell = (lease: Lease) => recoverAndTell(lease, services)
  try {
    return await withBillingLease(id, services, tell, { wait: 0 })
  } catch (error) {
    if (isRefusal(error, 'billingBusy', 'paymentsUnavailable')) return 'working'
    throw error
  }
}

/**
 * Brings an earlier purchase to its end before its buyer makes another: gives it up if it waits for
 * its buyer. Undefined if it was undone, so that the next one may begin.
 */
export async function finishEarlier(
  id: SubscriptionId,
  services: Services,
): Promise<CallOutput<'createSubscription'> | undefined> {
  return withBillingLease(id, services, async (lease) => {
    let state = await recoverAndTell(lease, services)
    if (state === 'waiting') {
      const { providerSubscriptionId } = (await services.store.billing.find(id))!
      const waiting = await services.payments.findProviderSubscription(providerSubscriptionId!)
      if (waiting) await giveUp(waiting, services)
      state = await recoverAndTell(lease, services)
    }
    if (state === 'undone') return undefined
    const processing = state === 'processing' && { processing: true }
    return { subscriptionId: id, earlier: true, ...processing }
  })
}

async function recoverAndTell(lease: Lease, services: Services) {
  const { billing } = services.store
  const row = await billing.find(lease.subscriptionId)
  if (!row) return 'undone'
  if (row.status !== 'incomplete') return 'paid'
  const current = await recover(lease, services)
  if (current?.isProcessing) return 'processing'
  const found = await billing.find(lease.subscriptionId)
  if (!found) return 'undone'
  return found.status === 'incomplete' ? 'waiting' : 'paid'
}
