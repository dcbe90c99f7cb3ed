import { billing } from '#config/billing.ts'
import type { EpochSeconds, PlanChangePreview } from '#contract/entities.ts'
import { weeklyAmount } from '#contract/prices.ts'
import type { Handlers, Services } from '../core/services.ts'
import { noCost, type Preview, type PromotionId } from '../providers/payments/payments.ts'
import type { BillingRow } from '../store/billing.ts'
import {
  isFree,
  planOfPrice,
  requireCodeAllowed,
  requireOffer,
  requirePlanChange,
  type ChangeWish,
  type Offer,
} from './plans.ts'
import { seconds } from '../platform/time.ts'
import { previewed, type CodeGiven } from './promotions.ts'
import { newQuote, type Change } from './quotes.ts'
import { recoverLater } from './sync.ts'
import { previewTrial } from './trials.ts'

export const previewCalls = {
  async previewSubscription({ input, user, visit: { network } }, services) {
    const offer = requireOffer(input)
    const { plan, price, priceId } = offer
    const { promotionCode: code } = input
    requireCodeAllowed(code, !plan.free)
    if (!price) return { preview: toEntity({ ...noCost, currency: plan.currencyCode }) }
    const start = { priceId, currency: price.currency, address: input.address }
    const trialEnds = await previewTrial(offer, input, { user }, services)
    const preview = await previewed({ code, offer, user, network }, services, (promotionId) =>
      services.payments.previewStart({ ...start, promotionId, trialEnds }),
    )
    return { preview: toEntity(preview, trialEnds) }
  },

  async previewPlanChange({ input, subscription, user, visit: { network } }, services) {
    const row = (await services.store.billing.find(subscription.id))!
    const by = { user, network }
    const { offer, at, preview, trialEnds } = await previewPlan(row, input, by, services)
    if (at === 'periodEnd') return { preview: ofLater(preview, row) }
    const quote = newQuote(changeOf(row, offer, user.uid), preview, services)
    return { preview: toEntity(preview, trialEnds), ...(quote !== undefined && { quote }) }
  },

  async previewCancellation({ subscription }, services) {
    const row = (await services.store.billing.find(subscription.id))!
    const { providerSubscriptionId: id, currency } = row
    const isRefunded = id !== null && billing.refundUnused
    return { refund: isRefunded ? await services.payments.previewRefund(id) : 0, currency }
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
  wish: ChangeWish,
  by: Pick<CodeGiven, 'user' | 'network'>,
  services: Services,
) {
  const { offer, at } = await requirePlanChange(row, wish, services)
  const isOnTrial = row.trialEndsAt !== null && offer.price !== null
  const buyer = { user: by.user, subscriptionId: row.id }
  const trialEnds = isFree(row.planId) ? await previewTrial(offer, wish, buyer, services) : null
  const preview =
    at === 'now' && !isOnTrial
      ? await previewed({ ...by, code: wish.promotionCode, offer }, services, (promotionId) =>
          previewChange(row, offer, { ...wish, promotionId, trialEnds }, services),
        )
      : await previewLater(row, offer, services)
  return { offer, at, preview, trialEnds: isOnTrial ? seconds(row.trialEndsAt!) : trialEnds }
}

/** The change that a quote is for. */
export function changeOf(row: BillingRow, { plan, priceId }: Offer, userId: string): Change {
  return { subscriptionId: row.id, from: row.planId, to: priceId ?? plan.id, userId }
}

type OfPurchase = { promotionId: PromotionId | undefined; trialEnds: EpochSeconds | null }

function previewChange(
  { planId, customerId, providerSubscriptionId }: BillingRow,
  { price, priceId }: Offer,
  { address, promotionId, trialEnds }: ChangeWish & OfPurchase,
  { payments }: Services,
) {
  if (!price) return payments.previewEnd(providerSubscriptionId!)
  const { currency } = price
  if (isFree(planId))
    return payments.previewStart({
      customerId: customerId ?? undefined,
      priceId,
      currency,
      promotionId,
      trialEnds,
      address,
    })
  return payments.previewChange({ providerSubscriptionId: providerSubscriptionId!, priceId })
}

/** What is charged when the present period has ended. */
async function previewLater(
  { providerSubscriptionId, currency }: BillingRow,
  { price, priceId }: Offer,
  { payments }: Services,
): Promise<Preview> {
  if (!price) return { ...noCost, currency: currency! }
  return payments.previewLater({ providerSubscriptionId: providerSubscriptionId!, priceId })
}

function ofLater(preview: Preview, { renewsAt }: BillingRow): PlanChangePreview {
  const starts = seconds(renewsAt!)
  const next_charge = preview.recurring && starts
  return { ...toEntity(preview), starts, due: 0, next_charge }
}

function toEntity(preview: Preview, trialEnds: EpochSeconds | null = null): PlanChangePreview {
  const { currency, lines, total, creditUsed, creditLeft, due, recurring, until } = preview
  const weekly = recurring && weeklyAmount(recurring)
  return {
    currency,
    lines: lines.map(({ kind, priceId, amount }) => ({
      kind: kind === 'period' && weekly !== null ? 'week' : kind,
      plan_id: (priceId && planOfPrice(priceId)?.id) || null,
      amount,
    })),
    starts: 'now',
    credit_used: creditUsed,
    due: trialEnds === null ? due : 0,
    credited: Math.max(0, -total),
    credit_left: creditLeft,
    recurring,
    weekly: recurring ? weekly : 0,
    next_charge: recurring && (trialEnds ?? until),
    discount: preview.discount ?? null,
    trial_ends: trialEnds,
  }
}
