import type { JobPayloads } from '../core/jobs.ts'
import type { Services } from '../core/services.ts'
import { seconds } from '../platform/time.ts'
import { withBillingLease } from './lease.ts'
import { tellOwner } from './mails.ts'
import { endChange, recover } from './purchase.ts'
import { findFreeFit } from './room.ts'
import { syncProviderSubscription } from './sync.ts'

/**
 * After a trial that ended without a card: changes the project to the free plan if it fits. Else its
 * owner learns until when it waits, and then it ends.
 */
export async function endTrial(
  { subscriptionId: id }: JobPayloads['endTrial'],
  services: Services,
) {
  const { payments } = services
  await withBillingLease(id, services, async (lease) => {
    // An earlier try may have stopped after the provider had ended it.
    if ((await services.store.billing.find(id))?.nextPlanId) await recover(lease, services)
    const now = await payments.now()
    const due = await services.transaction(async (services) => {
      const { store } = services
      const row = await store.subscriptions.lockRow(id)
      const { lookOnly, providerSubscriptionId, ownerId } = row ?? {}
      if (!row || lookOnly?.because !== 'trialEnded' || !providerSubscriptionId) return undefined
      if (ownerId) await store.subscriptions.lockOwner(ownerId)
      const free = await findFreeFit(row, services)
      const isOver = lookOnly.until! <= seconds(now)
      if (!free && !isOver) {
        const values = { plan: row.planId, until: lookOnly.until! }
        await tellOwner(row, 'trialOver', values, services)
        return undefined
      }
      // From here on, the free plan's seats count.
      if (free) await store.billing.update(id, { nextPlanId: free.id })
      return { providerSubscriptionId, ending: free && { changedTo: free.id } }
    })
    if (!due) return
    await payments.endProviderSubscription(due.providerSubscriptionId, due.ending)
    await syncProviderSubscription(due.providerSubscriptionId, services)
    await endChange(id, services)
  })
}
