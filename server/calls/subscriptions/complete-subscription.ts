import { handle } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'
import { finishOrUndo, writePlan } from '../../sync-with-provider.ts'

export const completeSubscription = handle('completeSubscription', async ({ input: { subscriptionId }, user }, services) => {
  const { store, payments } = services
  const row = await store.subscriptions.findRow(subscriptionId)
  if (!row || row.ownerId !== user.uid) throw new Refusal('subscriptionNotFound')
  if (row.status !== 'incomplete') return {}
  const plan = row.planAtProviderId ? await payments.findPlan(row.planAtProviderId) : undefined
  if (plan?.state === 'active') {
    await writePlan(plan, services)
    return {}
  }
  if (plan?.declineCode === undefined) throw new Refusal('paymentIncomplete')
  await finishOrUndo(row, services)
  throw new Refusal('cardDeclined', { declineCode: plan.declineCode })
})
