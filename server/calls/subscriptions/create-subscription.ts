import type { Plan, PlanId } from '#config/plans.ts'
import { findPlan, ownerPermissions } from '#contract/access.ts'
import type { BillingInfo } from '#contract/entities.ts'
import { handle, type CurrentUser } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'
import type { Services } from '../../services.ts'
import { idFrom, newId } from '../../store/ids.ts'
import { finishOrUndo, writePlan } from '../../sync-with-provider.ts'

export const createSubscription = handle('createSubscription', async ({ input: { planId, billingInfo }, user, key }, services) => {
  const plan = offered(planId)
  // A request repeated after a crash finds the project that its first try began, and goes on with it.
  const id = key ? idFrom(key.userId, key.key) : newId()
  if (plan.free) {
    if (billingInfo) throw new Refusal('billingInfoNotWanted')
    await addRow(id, plan, user, 'active', services)
    return { subscriptionId: id }
  }
  if (!billingInfo) throw new Refusal('billingInfoRequired')
  await addRow(id, plan, user, 'incomplete', services)
  const begun = await services.store.subscriptions.findRow(id)
  if (begun?.status !== 'incomplete') return { subscriptionId: id }
  await services.attempts.take('declinedCardsByAccount', user.uid)
  return buy(id, plan, billingInfo, user, services)
})

function offered(planId: string) {
  const plan = findPlan(planId)
  if (!plan) throw new Refusal('planNotFound')
  if (plan.legacy) throw new Refusal('planNotAvailable')
  return plan
}

async function addRow(id: string, plan: Plan, user: CurrentUser, status: 'active' | 'incomplete', { transaction, now }: Services) {
  await transaction(({ store }) =>
    store.subscriptions.add({ id, ownerId: user.uid, planId: plan.id as PlanId, status, permissions: ownerPermissions, now: now() }),
  )
}

/** Our row is there already: if this stops anywhere, the reconcile job finds it and finishes or undoes the purchase. */
async function buy(id: string, plan: Plan, { billingDetails, paymentMethodId }: BillingInfo, user: CurrentUser, services: Services) {
  const { payments, store } = services
  try {
    const customerId = await payments.addCustomer({ subscriptionId: id, email: user.email, billingDetails })
    await store.subscriptions.setCustomer(id, customerId)
    const bought = await payments.startPlan({ subscriptionId: id, priceId: plan.priceIds[0]!, paymentMethodId, customerId })
    if (bought.declineCode !== undefined) throw new Refusal('cardDeclined', { declineCode: bought.declineCode })
    await writePlan(bought, services)
    await services.attempts.giveBack('declinedCardsByAccount', user.uid)
    return { subscriptionId: id, ...(bought.clientSecret !== undefined && { clientSecret: bought.clientSecret }) }
  } catch (error) {
    // Without an answer from the provider nobody knows yet whether it was paid.
    if (error instanceof Refusal && error.reason !== 'paymentsUnavailable') await undo(id, services)
    if (!(error instanceof Refusal && error.reason === 'cardDeclined')) await services.attempts.giveBack('declinedCardsByAccount', user.uid)
    throw error
  }
}

async function undo(id: string, services: Services) {
  const row = await services.store.subscriptions.findRow(id)
  if (row) await finishOrUndo(row, services)
}
