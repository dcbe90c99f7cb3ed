import { billingLimits } from '#config/limits.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { insist, undoIfLost } from '../core/insist.ts'
import type { Services } from '../core/services.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after } from '../platform/time.ts'
import type { Lease } from '../store/billing.ts'
import { finishTransfer } from './transfer.ts'

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
