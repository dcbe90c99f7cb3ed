import type { PayerPlace, PlanChangePreview } from '#contract/entities.ts'
import type { Handlers, Services } from '../core/services.ts'
import type { Preview } from '../providers/payments/payments.ts'
import type { BillingRow } from '../store/billing.ts'
import { isFree, planOfPrice, requirePlan, requirePlanChange, type KnownPlan } from './plans.ts'
import { newQuote } from './quotes.ts'
import { recoverLater } from './sync.ts'

const none = { creditUsed: 0, creditLeft: 0, due: 0, weekly: 0 }
const nothing = { lines: [], total: 0, ...none, until: 0 }

export const previewCalls = {
  async previewSubscription({ input: { planId, address } }, { payments }) {
    const plan = requirePlan(planId)
    const [priceId] = plan.priceIds
    if (priceId === undefined)
      return { preview: toEntity({ ...nothing, currency: plan.currencyCode }, plan) }
    return { preview: toEntity(await payments.previewStart({ priceId, address }), plan) }
  },

  async previewPlanChange({ input: { planId, address }, subscription, user }, services) {
    const row = (await services.store.billing.find(subscription.id))!
    const { plan, preview } = await previewPlan(row, planId, services, address)
    const change = { subscriptionId: row.id, from: row.planId, to: plan.id, userId: user.uid }
    const quote = newQuote(change, preview, services)
    return { preview: toEntity(preview, plan), ...(quote !== undefined && { quote }) }
  },

  async previewPayment({ subscription }, services) {
    const row = (await services.store.billing.find(subscription.id))!
    const id = row.providerSubscriptionId
    const owed = (id && (await services.payments.previewPayment(id))) || null
    // The provider has the payment, and its event is late or lost.
    if (!owed && row.payment !== 'ok') await recoverLater(row.id, services)
    return { owed }
  },
} satisfies Partial<Handlers>

/** Previews a change of plan as it would be now. Refuses unless the change is allowed. */
export async function previewPlan(
  row: BillingRow,
  planId: string,
  services: Services,
  address?: PayerPlace,
) {
  const plan = await requirePlanChange(row, planId, services)
  return { plan, preview: await previewChange(row, plan, address, services) }
}

function previewChange(
  { planId, customerId, providerSubscriptionId }: BillingRow,
  plan: KnownPlan,
  address: PayerPlace | undefined,
  { payments }: Services,
) {
  const priceId = plan.priceIds[0]
  if (priceId === undefined) return payments.previewEnd(providerSubscriptionId!)
  if (isFree(planId))
    return payments.previewStart({ customerId: customerId ?? undefined, priceId, address })
  return payments.previewChange({ providerSubscriptionId: providerSubscriptionId!, priceId })
}

function toEntity(
  preview: Omit<Preview, 'at' | 'newestInvoice'>,
  plan: KnownPlan,
): PlanChangePreview {
  const { currency, lines, total, creditUsed, creditLeft, due, weekly, until } = preview
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
    credit_left: creditLeft,
    weekly,
    next_charge: plan.free ? null : until,
  }
}
