import type { PayerPlace } from '#contract/entities.ts'
import type { KnownPlan } from './offered-plan.ts'
import { isFree, plannedChange } from './plan-change.ts'
import { toEntity } from './preview.ts'
import { newQuote } from './quote.ts'
import { handle } from '../core/handle.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'

export const previewPlanChange = handle(
  'previewPlanChange',
  async ({ input: { planId, address }, subscription, user }, services) => {
    await services.attempts.take('previewsByAccount', user.uid)
    const row = (await services.store.billing.find(subscription.id))!
    const plan = await plannedChange(row, planId, services)
    const preview = await previewOf({ row, plan, address }, services)
    const shown = { subscriptionId: row.id, from: row.planId, to: plan.id, userId: user.uid }
    return {
      preview: toEntity(preview, plan),
      ...(preview.at !== undefined && { quote: newQuote(shown, preview.at, services) }),
    }
  },
)

type Asked = { row: BillingRow; plan: KnownPlan; address: PayerPlace | undefined }

function previewOf({ row, plan, address }: Asked, { payments }: Services) {
  const priceId = plan.priceIds[0]
  if (priceId === undefined) return payments.previewEnd(row.planAtProviderId!)
  if (isFree(row.planId))
    return payments.previewStart({ customerId: row.customerId ?? undefined, priceId, address })
  return payments.previewChange({ planId: row.planAtProviderId!, priceId })
}
