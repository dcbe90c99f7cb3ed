import type { ProviderSubscription } from '../providers/payments/payments.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'
import { attemptOf } from './customer.ts'
import { syncPlan } from './sync.ts'
import { settleCard } from './tried-card.ts'
import { inTurn, type Waiting } from './turn.ts'

/**
 * Brings a purchase or a change of plan that stopped anywhere to its end: done, still waiting for its buyer, or as if it had never been; the
 * last where the buyer has deleted their account. Gives the plan as it stands then. The caller holds the project's turn.
 */
export async function settle(
  row: BillingRow,
  services: Services,
): Promise<ProviderSubscription | undefined> {
  const { payments, store } = services
  // The same request gives the customer that a purchase may have made before it stopped.
  const customerId =
    row.customerId ??
    (await payments.addCustomer({ subscriptionId: row.id, attempt: attemptOf(row) }))
  if (!row.customerId) await store.billing.set(row.id, { customerId })
  const planId = row.providerSubscriptionId ?? (await payments.findPlanOfCustomer(customerId))?.id
  const plan = planId === undefined ? undefined : await syncOrGiveUp(planId, services)
  if (plan && isWaiting(plan)) return plan
  if (plan) await settleCard(row, plan, services)
  if (row.status === 'incomplete' && plan?.state !== 'active') {
    await payments.removeCustomer(customerId)
    await store.subscriptions.removeIncomplete(row.id)
  } else await store.billing.set(row.id, { nextPlanId: null })
  return plan
}

/** However it stands by the time that it is its turn. */
export async function settleInTurn(subscriptionId: string, services: Services, options?: Waiting) {
  await inTurn(
    subscriptionId,
    services,
    async () => {
      const row = await services.store.billing.find(subscriptionId)
      if (row) await settle(row, services)
    },
    options,
  )
}

/** For the buyer: to finish the first payment, or that of a change. */
export function isWaiting({ state, isChanging }: ProviderSubscription) {
  return state === 'unpaid' || isChanging
}

/** Ends the waiting for a payment. */
export async function giveUp(plan: ProviderSubscription, services: Services) {
  if (plan.state === 'unpaid') await services.payments.endPlan(plan.id)
  else await services.payments.dropChange(plan.id)
  return syncPlan(plan.id, services)
}

/** What the bank has refused is not tried again without the buyer. */
async function syncOrGiveUp(planId: string, services: Services) {
  const plan = await syncPlan(planId, services)
  return plan && isWaiting(plan) && plan.declineCode !== undefined ? giveUp(plan, services) : plan
}
