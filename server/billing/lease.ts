import { billingLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '../core/services.ts'
import { orExpires } from '../core/to-refusal.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import type { Lease } from '../store/billing.ts'
import { finishTransfer } from './transfer.ts'

/**
 * Runs `work` with the lease on a subscription's billing, which expires soon after its server dies.
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
  const ended = new AbortController()
  const renewed = keep(lease, services, ended.signal)
  try {
    await finishTransfer(lease, services)
    return await work(lease)
  } finally {
    ended.abort()
    await renewed
    await orExpires(services.store.billing.releaseLease(lease))
  }
}

async function acquire(id: SubscriptionId, services: Services, giveUpAt: number) {
  const { store, now, serverId: by } = services
  for (;;) {
    const until = after(now(), billingLimits.lease)
    const lease = await store.billing.acquireLease(id, { by, now: now(), until })
    if (lease) return lease
    if (Date.now() >= giveUpAt) throw new Refusal('billingBusy')
    await delay(50)
  }
}

/** Renews a lease until its work has ended. It expires while the database is away for long. */
async function keep(lease: Lease, { store, now }: Services, ended: AbortSignal) {
  for (;;) {
    await delay(billingLimits.renewLease, undefined, { signal: ended }).catch(() => undefined)
    if (ended.aborted) return
    const until = after(now(), billingLimits.lease)
    await store.billing.renewLease(lease, until).catch(() => undefined)
  }
}
