import { limits } from '#config/limits.ts'
import { plans, type Plan, type PlanId } from '#config/plans.ts'
import { product } from '#config/product.ts'
import { findPlan } from '#contract/access.ts'
import { slug } from '#contract/slug.ts'
import { requireFit } from '../core/entitlements.ts'
import type { Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { BillingRow } from '../store/billing.ts'

export type KnownPlan = Plan & { id: PlanId }

const known: readonly KnownPlan[] = plans
const freePlans = known.filter(({ free }) => free).map(({ id }) => id)

/** The plans that cost something, in the form that the payment provider needs. */
export const pricedPlans = known
  .filter(({ price }) => price > 0)
  .map(({ id, priceIds, price, currencyCode, legacy }) => ({
    id,
    name: `${product.name} ${id[0]!.toUpperCase()}${id.slice(1)}`,
    priceIds,
    unitAmount: price * 100,
    currency: currencyCode,
    legacy,
  }))

/** The prices of these plans, in the form that the sandbox needs. */
export const sandboxPrices = pricedPlans.flatMap(({ id, name, priceIds, unitAmount, currency }) =>
  priceIds.map((priceId) => ({
    id: priceId,
    product: { id: `prod_${slug}_${id}`, name },
    unitAmount,
    currency,
  })),
)

export function isFree(planId: PlanId) {
  return findPlan(planId)!.free
}

export function planOfPrice(priceId: string) {
  return known.find(({ priceIds }) => priceIds.includes(priceId))
}

/** The plan with this id. Refuses if there is none or it is no longer sold. */
export function requirePlan(id: string) {
  const plan = findPlan(id)
  if (!plan) throw new Refusal('planNotFound')
  if (plan.legacy) throw new Refusal('planNotAvailable')
  return plan as KnownPlan
}

/** Refuses unless the change is allowed. A caller that makes it has locked row and owner. */
export async function requirePlanChange(row: BillingRow, planId: string, services: Services) {
  const { store, now } = services
  const plan = requirePlan(planId)
  // An event may have ended the subscription since the caller's request was checked.
  if (row.status !== 'active') throw new Refusal('subscriptionCanceled')
  if (row.planId === plan.id) throw new Refusal('samePlan')
  if (row.payment !== 'ok') throw new Refusal('planChangeNotPaid')
  if (plan.free) await requireRoomForFree(row.ownerId!, row.id, services)
  const [members, invited] = await Promise.all([
    store.members.listNames(row.id),
    store.invites.listOpen(row.id, now()),
  ])
  const taken = members.length + invited.length
  if (taken > plan.seats)
    throw new Refusal('tooManyMembers', { seats: plan.seats, taken, members, invited })
  await requireFit(row, plan.id, services)
  return plan
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
