import type { PlanChangePreview } from '#contract/entities.ts'
import type { Preview } from '../providers/payments/payments.ts'
import { planOfPrice, type KnownPlan } from './offered-plan.ts'

/** What the provider reckoned, in our words. */
export function toEntity(
  { currency, lines, total, creditUsed, due, weekly, until }: Preview,
  plan: KnownPlan,
): PlanChangePreview {
  return {
    currency,
    lines: lines.map(({ kind, priceId, amount }) => ({
      kind,
      plan_id: (priceId && planOfPrice(priceId)?.id) || null,
      amount,
    })),
    credit_used: creditUsed,
    due,
    credited: Math.max(0, -total),
    weekly,
    next_charge: plan.free ? null : until,
  }
}
