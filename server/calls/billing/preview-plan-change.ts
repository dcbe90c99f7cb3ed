import type { PlanChangePreview } from '#contract/entities.ts'
import { planOfPrice, type KnownPlan } from '../../billing/offered-plan.ts'
import { isFree, plannedChange } from '../../billing/plan-change.ts'
import { newQuote } from '../../billing/quote.ts'
import { handle } from '../../handle.ts'
import type { Preview } from '../../providers/payments/payments.ts'
import type { Services } from '../../services.ts'
import { after } from '../../sessions.ts'
import type { BillingRow } from '../../store/billing.ts'

const week = 7 * 24 * 3_600_000

export const previewPlanChange = handle('previewPlanChange', async ({ input, subscription, user }, services) => {
  const row = (await services.store.billing.find(subscription.id))!
  const plan = await plannedChange(row, input.planId, services)
  const preview = await previewOf(row, plan, services)
  const shown = { subscriptionId: row.id, from: row.planId, to: plan.id, userId: user.uid }
  return { preview: toEntity(preview, plan), ...(preview.at !== undefined && { quote: newQuote(shown, preview.at, services) }) }
})

async function previewOf(row: BillingRow, plan: KnownPlan, { payments, now }: Services): Promise<Preview> {
  const priceId = plan.priceIds[0]
  if (isFree(row.planId)) {
    const known = row.customerId && priceId !== undefined && (await payments.previewStart({ customerId: row.customerId, priceId }))
    return known || firstWeek(plan, now())
  }
  const planId = row.planAtProviderId!
  return priceId === undefined ? payments.previewEnd(planId) : payments.previewChange({ planId, priceId })
}

/** The provider knows nothing of the project yet. */
function firstWeek({ price, priceIds, currencyCode }: KnownPlan, now: Date): Preview {
  const amount = price * 100
  const lines = priceIds.slice(0, 1).map((priceId) => ({ kind: 'week' as const, priceId, amount }))
  const until = Math.floor(after(now, week).getTime() / 1000)
  return { currency: currencyCode, lines, total: amount, creditUsed: 0, due: amount, until, at: undefined }
}

function toEntity({ currency, lines, total, creditUsed, due, until }: Preview, plan: KnownPlan): PlanChangePreview {
  return {
    currency,
    lines: lines.map(({ kind, priceId, amount }) => ({ kind, plan_id: (priceId && planOfPrice(priceId)?.id) || null, amount })),
    credit_used: creditUsed,
    due,
    credited: Math.max(0, -total),
    weekly: plan.price * 100,
    next_charge: plan.free ? null : until,
  }
}
