import { offeredPlan } from './offered-plan.ts'
import { toEntity } from './preview.ts'
import { handle } from '../core/handle.ts'

const nothing = { lines: [], total: 0, creditUsed: 0, due: 0, weekly: 0, until: 0, at: undefined }

export const previewSubscription = handle(
  'previewSubscription',
  async ({ input: { planId, address }, user }, { attempts, payments }) => {
    const plan = offeredPlan(planId)
    const [priceId] = plan.priceIds
    if (priceId === undefined)
      return { preview: toEntity({ ...nothing, currency: plan.currencyCode }, plan) }
    await attempts.take('previewsByAccount', user.uid)
    return { preview: toEntity(await payments.previewStart({ priceId, address }), plan) }
  },
)
