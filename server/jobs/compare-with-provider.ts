import { syncPlan } from '../billing/sync.ts'
import { takeEvent } from '../billing/take-event.ts'
import type { Services } from '../services.ts'

/**
 * Once a day everything that is being paid for is held against what we believe is: an event that never came is fetched, a change made by
 * hand at the provider is written here, and a plan that nobody should pay for is ended.
 */
export async function compareWithProvider(services: Services) {
  const { store, payments, log } = services
  for await (const event of payments.listUndelivered()) await takeEvent(event, services)
  const believed = await store.billing.mapPaid()
  for await (const plan of payments.listLivePlans()) {
    const row = plan.subscriptionId ? await store.billing.find(plan.subscriptionId) : undefined
    believed.delete(plan.id)
    if (!row) log.warn({ plan: plan.id, subscription: plan.subscriptionId }, 'a plan at the provider belongs to no project here')
    else await syncPlan(plan.id, services)
  }
  // Missing among the live ones: ended, unless it was begun only just now.
  for (const planId of believed.keys()) await syncPlan(planId, services)
  log.info('compared with the provider')
}
