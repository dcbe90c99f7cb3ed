import type { CurrentUser } from '../core/handle.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import { settle } from './settle.ts'
import { syncPlan } from './sync.ts'
import { settleCard } from './tried-card.ts'

type Charge = { subscriptionId: string; user: CurrentUser }

/**
 * Does something that the provider takes money for, and sees it through: `act` gives the plan's id there. What the bank refuses leaves
 * nothing half-done, and no card that has never worked; where the provider gave no answer, the reconcile job finds out and settles it. Answers
 * with what the browser needs if the bank wants to ask the buyer first, or that the payment takes its time. The caller has the turn.
 */
export async function charge(of: Charge, services: Services, act: () => Promise<string>) {
  const { rateLimits } = services
  try {
    await rateLimits.consume('declinedCardsByAccount', of.user.uid)
    return await collect(of, services, act)
  } catch (error) {
    if (error instanceof Refusal && !isRefusal(error, 'paymentsUnavailable'))
      await undo(of.subscriptionId, services)
    throw error
  }
}

/** Of tries, only those count that the bank declines. */
async function collect(
  { subscriptionId, user }: Charge,
  services: Services,
  act: () => Promise<string>,
) {
  const { rateLimits, store } = services
  try {
    const plan = await syncPlan(await act(), services)
    if (plan?.declineCode !== undefined)
      throw new Refusal('cardDeclined', { declineCode: plan.declineCode })
    await rateLimits.giveBack('declinedCardsByAccount', user.uid)
    if (plan?.clientSecret !== undefined) return { clientSecret: plan.clientSecret }
    if (plan?.isProcessing) return { processing: true }
    const row = await store.billing.find(subscriptionId)
    if (row && plan) await settleCard(row, plan, services)
    await store.billing.set(subscriptionId, { nextPlanId: null })
    return {}
  } catch (error) {
    if (!isRefusal(error, 'cardDeclined'))
      await rateLimits.giveBack('declinedCardsByAccount', user.uid)
    throw error
  }
}

async function undo(subscriptionId: string, services: Services) {
  const row = await services.store.billing.find(subscriptionId)
  if (row) await settle(row, services)
}
