import {
  allows,
  limitNames,
  limitOf,
  type FeatureName,
  type LimitName,
} from '#contract/entitlements.ts'
import type { Use } from '#contract/entries.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from './services.ts'

type OfPlan = { id: string; plan_id: string }

export function requireFeature(subscription: OfPlan, feature: FeatureName) {
  if (!allows(subscription, feature)) throw new Refusal('notInPlan', { feature })
}

/**
 * Refuses, after a change of a `write`, what goes beyond the plan, so that its transaction is undone.
 * Nothing else changes meanwhile what counts, because the call holds the subscription's row.
 */
export async function requireRoom(subscription: OfPlan, limits: LimitName[], services: Services) {
  const named = limits.filter((limit) => limitOf(subscription, limit) !== null)
  const uses = await listUses(subscription, named, services)
  const beyond = uses.find(isBeyond)
  if (beyond) throw new Refusal('limitReached', { limit: beyond.limit, most: beyond.most })
}

/** Refuses a plan that allows less than the project uses, and says of what. */
export async function requireFit({ id }: { id: string }, planId: string, services: Services) {
  const uses = await listUses({ id, plan_id: planId }, limitNames, services)
  const beyond = uses.filter(isBeyond)
  if (beyond.length > 0) throw new Refusal('planTooSmall', { beyond })
}

/** How much a project uses of some limits, and how much its plan allows. */
export async function listUses(
  subscription: OfPlan,
  limits: LimitName[],
  services: Services,
): Promise<Use[]> {
  const wanted = new Set<string>(limits)
  const counts = services.modules.usage.filter(({ limits }) =>
    limits.some((name) => wanted.has(name)),
  )
  const counted = await Promise.all(counts.map(({ count }) => count(subscription.id, services)))
  const used = Object.assign({}, ...counted) as Record<LimitName, number>
  return limits.map((limit) => ({ limit, used: used[limit], most: limitOf(subscription, limit) }))
}

function isBeyond({ used, most }: Use) {
  return most !== null && used > most
}
