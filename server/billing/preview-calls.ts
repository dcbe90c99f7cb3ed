import { billingLimits } from '#config/limits.ts'
import type { EpochSeconds, PayerPlace, PlanChangePreview } from '#contract/entities.ts'
import { timingSafeEqual } from 'node:crypto'
import type { Handlers, Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Preview } from '../providers/payments/payments.ts'
import type { BillingRow } from '../store/billing.ts'
import { isFree, planOfPrice, requirePlan, requirePlanChange, type KnownPlan } from './plans.ts'

const nothing = { lines: [], total: 0, creditUsed: 0, due: 0, weekly: 0, until: 0, at: undefined }

export const previewCalls = {
  async previewSubscription({ input: { planId, address }, user }, { rateLimits, payments }) {
    const plan = requirePlan(planId)
    const [priceId] = plan.priceIds
    if (priceId === undefined)
      return { preview: toEntity({ ...nothing, currency: plan.currencyCode }, plan) }
    await rateLimits.consume('previewsByAccount', user.uid)
    return { preview: toEntity(await payments.previewStart({ priceId, address }), plan) }
  },

  async previewPlanChange({ input: { planId, address }, subscription, user }, services) {
    await services.rateLimits.consume('previewsByAccount', user.uid)
    const row = (await services.store.billing.find(subscription.id))!
    const plan = await requirePlanChange(row, planId, services)
    const preview = await previewChange(row, plan, address, services)
    const shown = { subscriptionId: row.id, from: row.planId, to: plan.id, userId: user.uid }
    return {
      preview: toEntity(preview, plan),
      ...(preview.at !== undefined && { quote: newQuote(shown, preview.at, services) }),
    }
  },

  async previewPayment({ subscription, user }, { rateLimits, payments, store }) {
    await rateLimits.consume('previewsByAccount', user.uid)
    const { providerSubscriptionId: id } = (await store.billing.find(subscription.id))!
    return { owed: (id && (await payments.previewPayment(id))) || null }
  },
} satisfies Partial<Handlers>

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

/** The user who saw a preview, and the change that it showed. */
type Shown = { subscriptionId: string; from: string; to: string; userId: string }
type Tools = Pick<Services, 'keyedHash' | 'now'>

/** The moment that the amounts hold for, signed so that clients can't choose it. */
function newQuote(shown: Shown, at: EpochSeconds, { keyedHash, now }: Tools) {
  const until = Math.floor((now().getTime() + billingLimits.quoteLife) / 1000)
  return [at, until, sign(shown, at, until, keyedHash)].join('.')
}

/** The moment in a quote. Refuses a quote that has expired or belongs to another preview. */
export function readQuote(quote: string, shown: Shown, { keyedHash, now }: Tools): EpochSeconds {
  const [at, until, signature = ''] = quote.split('.')
  const right = Buffer.from(sign(shown, Number(at), Number(until), keyedHash))
  const given = Buffer.from(signature)
  const isOurs = given.length === right.length && timingSafeEqual(given, right)
  if (!isOurs || Number(until) * 1000 < now().getTime()) throw new Refusal('previewOutdated')
  return Number(at)
}

function sign(shown: Shown, at: number, until: number, keyedHash: Services['keyedHash']) {
  const { subscriptionId, from, to, userId } = shown
  return keyedHash('quote', JSON.stringify([subscriptionId, from, to, userId, at, until]))
}
