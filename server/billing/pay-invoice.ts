import { charge } from './charge.ts'
import { removeCardsOfOthers } from './remove-card.ts'
import { syncPlan } from './sync.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'

export const payInvoice = handle(
  'payInvoice',
  async ({ input: { paymentMethodId }, subscription, user }, services) => {
    const { planAtProviderId: planId } = (await services.store.billing.find(subscription.id))!
    const before = planId === null ? undefined : await syncPlan(planId, services)
    if (!before || before.payment === 'ok') throw new Refusal('notOverdue')
    if (before.clientSecret !== undefined && paymentMethodId === undefined)
      return { clientSecret: before.clientSecret }
    const outcome = await charge({ subscriptionId: subscription.id, user }, services, async () => {
      // A card that has paid is what the next weeks are charged to; one that the bank refuses changes nothing.
      await services.payments.payInvoice(before.id, paymentMethodId)
      return before.id
    })
    if (outcome.clientSecret === undefined)
      await removeCardsOfOthers(subscription.id, user, services)
    return outcome
  },
)
