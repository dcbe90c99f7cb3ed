import { billing } from '#config/billing.ts'
import { limits } from '#config/limits.ts'
import { plans, type Plan, type PlanId } from '#config/plans.ts'
import { product } from '#config/product.ts'
import { findPlan } from '#contract/access.ts'
import type { ParsedInput } from '#contract/calls.ts'
import { currenciesOf, inCurrency, isSameInterval, pricesOf, type Price } from '#contract/prices.ts'
import { slug } from '#contract/slug.ts'
import { changeTiming, resolveAt } from '#contract/timing.ts'
import { requireFit } from '../core/entitlements.ts'
import type { Services } from '../core/services.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import { seconds } from '../platform/time.ts'
import type { BillingRow } from '../store/billing.ts'
import { priceOf } from '../store/charges.ts'

export type KnownPlan = Plan & { id: PlanId }

const known: readonly KnownPlan[] = plans
const soldFree = known.find(({ free, legacy }) => free && !legacy)
const freePlans = known.filter(({ free }) => free).map(({ id }) => id)

/** The plans that cost something, in the form that the payment provider needs. */
export const pricedPlans = known
  .filter(({ free }) => !free)
  .map((plan) => ({
    id: plan.id,
    name: `${product.name} ${plan.id[0]!.toUpperCase()}${plan.id.slice(1)}`,
    prices: pricesOf(plan),
    legacy: plan.legacy,
  }))

/** The names of all prices: each an id at the payment provider, or a lookup key. */
export const priceNames = pricedPlans.flatMap(({ prices }) =>
  prices.flatMap(({ priceIds }) => priceIds),
)

/** The prices of these plans, in the form that the sandbox needs. */
export const sandboxPrices = pricedPlans.flatMap(({ id, name, prices }) =>
  prices.flatMap(({ priceIds, frequency, every, amounts }) =>
    priceIds.map((priceId) => ({
      id: priceId,
      product: { id: `prod_${slug}_${id}`, name },
      interval: frequency,
      intervalCount: every,
      amounts,
    })),
  ),
)

export function isFree(planId: PlanId) {
  return findPlan(planId)!.free
}

export function planOfPrice(priceId: string) {
  return known.find((plan) => pricesOf(plan).some(({ priceIds }) => priceIds.includes(priceId)))
}

/** The plan with this id. Refuses if there is none or it is no longer sold. */
export function requirePlan(id: string) {
  const plan = findPlan(id)
  if (!plan) throw new Refusal('planNotFound')
  if (plan.legacy) throw new Refusal('planNotAvailable')
  return plan as KnownPlan
}

export type Wish = Pick<ParsedInput<'previewSubscription'>, 'planId' | 'price'>
export type ChangeWish = Omit<ParsedInput<'previewPlanChange'>, 'subscriptionId'>

/** A plan that is sold, with the price to pay for it; without one if it is free. */
export type Offer = { plan: KnownPlan } & (
  | { price: Price; priceId: string }
  | { price: null; priceId: undefined }
)

/**
 * What is sold for a wish, in the currency that earlier payments have fixed, if there were any.
 * Refuses what is not sold.
 */
export function requireOffer({ planId, price: wanted }: Wish, fixed: string | null = null): Offer {
  const plan = requirePlan(planId)
  const prices = pricesOf(plan)
  const sold = wanted ? prices.find((price) => isSameInterval(price, wanted)) : prices[0]
  if (!sold && wanted) throw new Refusal('priceNotSold')
  if (!sold) return { plan, price: null, priceId: undefined }
  if (fixed !== null && wanted?.currency !== undefined && wanted.currency !== fixed)
    throw new Refusal('currencyFixed', { currency: fixed })
  const asked = wanted?.currency ?? fixed
  const [first] = currenciesOf(sold)
  const currency = asked === null ? first : currenciesOf(sold).find((code) => code === asked)
  if (currency === undefined) throw new Refusal('priceNotSold')
  return { plan, price: inCurrency(sold, currency), priceId: sold.priceIds[0]! }
}

/** Refuses a promotion code if none are taken, or none for this. */
export function requireCodeAllowed(code: string | undefined, isPurchase: boolean) {
  if (code === undefined) return
  if (!billing.promotionCodes) throw new Refusal('notOffered')
  if (!isPurchase) throw new Refusal('promotionNotForChange')
}

/** Whether a project has this plan, and pays for it in the same intervals. */
export function hasOffer(row: BillingRow, { plan, price }: Offer) {
  const own = priceOf(row)
  return row.planId === plan.id && (!price || !own || isSameInterval(own, price))
}

/** Refuses unless the change is allowed. A caller that makes it has locked row and owner. */
export async function requirePlanChange(row: BillingRow, wish: ChangeWish, services: Services) {
  const offer = requireOffer(wish, row.currency)
  const { plan } = offer
  // An event may have ended the subscription since the caller's request was checked.
  if (row.status !== 'active') throw new Refusal('subscriptionCanceled')
  if (hasOffer(row, offer)) throw new Refusal('samePlan')
  requireCodeAllowed(wish.promotionCode, isFree(row.planId) && !plan.free)
  const isOver = row.lookOnly?.because === 'trialEnded' && !plan.free
  if (row.payment !== 'ok' || isOver) throw new Refusal('planChangeNotPaid')
  const trial_ends = row.trialEndsAt && seconds(row.trialEndsAt)
  const at = resolveAt(changeTiming({ price: priceOf(row), trial_ends }, offer.price), wish.at)
  if (at === undefined) throw new Refusal('notOffered')
  await requireRoomIn(row, plan, services)
  return { offer, at }
}

/** Refuses a plan that has less room than the project needs. */
export async function requireRoomIn(row: BillingRow, plan: KnownPlan, services: Services) {
  const { store, now } = services
  if (plan.free) await requireRoomForFree(row.ownerId!, row.id, services)
  const [members, invited] = await Promise.all([
    store.members.listNames(row.id),
    store.invites.listOpen(row.id, now()),
  ])
  const taken = members.length + invited.length
  if (taken > plan.seats)
    throw new Refusal('tooManyMembers', { seats: plan.seats, taken, members, invited })
  await requireFit(row, plan.id, services)
}

/** Refuses if the owner has too many others. A caller that adds one has locked the owner. */
export async function requireRoomForFree(
  ownerId: string,
  subscriptionId: string,
  { store }: Pick<Services, 'store'>,
) {
  const limit = limits.projects.freeOwned
  if ((await store.subscriptions.countOthersOf(ownerId, freePlans, subscriptionId)) >= limit)
    throw new Refusal('tooManyProjects', { limit })
}

/** Whether there is room in a plan for what the project has. */
export async function hasRoomIn(row: BillingRow, planId: PlanId, services: Services) {
  try {
    await requireRoomIn(row, requirePlan(planId), services)
    return true
  } catch (error) {
    if (isRefusal(error, 'tooManyMembers', 'planTooSmall', 'tooManyProjects', 'planNotAvailable'))
      return false
    throw error
  }
}

/** The free plan that is sold, if the project fits into it. */
export async function findFreeFit(row: BillingRow, services: Services) {
  return soldFree && (await hasRoomIn(row, soldFree.id, services)) ? soldFree : undefined
}
