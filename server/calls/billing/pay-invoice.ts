import { charge } from '../../billing/charge.ts'
import { makeDefault } from '../../billing/default-card.ts'
import { syncPlan } from '../../billing/sync.ts'
import { handle } from '../../handle.ts'
import { Refusal } from '../../refusal.ts'

export const payInvoice = handle('payInvoice', async ({ input: { paymentMethodId }, subscription, user }, services) => {
  const { planAtProviderId: planId } = (await services.store.billing.find(subscription.id))!
  const before = planId === null ? undefined : await syncPlan(planId, services)
  if (!before || before.payment === 'ok') throw new Refusal('notOverdue')
  if (before.clientSecret !== undefined && paymentMethodId === undefined) return { clientSecret: before.clientSecret }
  return charge({ subscriptionId: subscription.id, user }, services, async () => {
    const { id, customerId } = before
    // The card that has failed would fail again next week.
    if (paymentMethodId !== undefined)
      await makeDefault({ subscriptionId: subscription.id, customerId, planId: id, cardId: paymentMethodId, user }, services)
    await services.payments.payInvoice(id)
    return id
  })
})
