import { handle } from '../core/handle.ts'

export const previewPayment = handle(
  'previewPayment',
  async ({ subscription, user }, { attempts, payments, store }) => {
    await attempts.take('previewsByAccount', user.uid)
    const { planAtProviderId: planId } = (await store.billing.find(subscription.id))!
    const owed = planId === null ? undefined : await payments.previewPayment(planId)
    return { owed: owed ?? null }
  },
)
