import { whyNot } from '#contract/access.ts'
import { removeCardsOfOthers } from './remove-card.ts'
import { settle } from './settle.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'

export const completePayment = handle(
  'completePayment',
  async ({ input: { subscriptionId }, user }, services) => {
    const { store, payments } = services
    const row = await store.billing.find(subscriptionId)
    if (row?.ownerId !== user.uid)
      throw new Refusal(
        whyNot({ needs: 'owner' }, user.uid, await store.subscriptions.find(subscriptionId)) ??
          'subscriptionNotFound',
      )
    const plan = row.planAtProviderId
      ? await payments.findPlan(row.planAtProviderId, { mayOweMore: true })
      : undefined
    if (!plan && row.status === 'incomplete') throw new Refusal('paymentIncomplete')
    if (plan?.clientSecret !== undefined) throw new Refusal('paymentIncomplete')
    if (plan) await settle(row, services)
    if (plan?.declineCode !== undefined)
      throw new Refusal('cardDeclined', { declineCode: plan.declineCode })
    await removeCardsOfOthers(subscriptionId, user, services)
    return plan?.isProcessing ? { processing: true } : {}
  },
)
