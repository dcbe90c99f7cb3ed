import { billingLimits } from '#config/limits.ts'
import type { CurrentUser, Services } from './services.ts'
import type { SubscriptionId } from '../platform/ids.ts'
import { after } from '../platform/time.ts'

/** A trial, which a project and a card have once too, or a promotion code, by the provider's id. */
type Use = {
  what: 'trial' | `promo_${string}`
  user: Pick<CurrentUser, 'uid' | 'email'>
  subscriptionId?: SubscriptionId | undefined
  /** The provider's fingerprint of the card, once it is known. */
  card?: string | undefined
}
type Known = Pick<Services, 'store' | 'keyedHash'>

/** `settled`: only by what has succeeded. Else also by a purchase that is under way. */
export async function isUsed(use: Use, services: Known, { settled = false } = {}) {
  const kept = hashOf('address', use.user.email, services)
  return services.store.usedOnce.has(use.what, [...ownersOf(use, services), kept], { settled })
}

/**
 * Takes it for a purchase or a change that begins; false if it is used. The caller then refuses, so
 * that its transaction takes nothing.
 */
export async function takeOnce(
  use: Use & { subscriptionId: SubscriptionId },
  services: Known & Pick<Services, 'now'>,
) {
  const { what, user, subscriptionId } = use
  const { usedOnce } = services.store
  if (await usedOnce.has(what, [hashOf('address', user.email, services)])) return false
  return usedOnce.take({ what, by: ownersOf(use, services), subscriptionId, now: services.now() })
}

/** A card that becomes known within a trial has had one, unless it had one before. */
export async function noteCardOfTrial(
  card: string,
  subscriptionId: SubscriptionId,
  services: Known & Pick<Services, 'now'>,
) {
  const { usedOnce } = services.store
  const by = [hashOf('card', card, services)]
  await usedOnce.take({ what: 'trial', by, subscriptionId, now: services.now() })
  await usedOnce.settle(subscriptionId)
}

/** Keeps what a deleted account has used, for a while. `email`: its address, if that was proved. */
export async function keepUses(
  { uid, email }: { uid: string; email: string | undefined },
  services: Known & Pick<Services, 'now'>,
) {
  const by = hashOf('user', uid, services)
  const as = email === undefined ? by : hashOf('address', email, services)
  const until = after(services.now(), billingLimits.usesKept)
  await services.store.usedOnce.keep({ by, as, until })
}

function ownersOf({ what, user, subscriptionId, card }: Use, services: Known) {
  const owners = [hashOf('user', user.uid, services)]
  if (what !== 'trial') return owners
  if (subscriptionId !== undefined) owners.push(hashOf('project', subscriptionId, services))
  if (card !== undefined) owners.push(hashOf('card', card, services))
  return owners
}

function hashOf(
  kind: 'user' | 'address' | 'project' | 'card',
  value: string,
  { keyedHash }: Pick<Services, 'keyedHash'>,
) {
  return keyedHash(`used once by ${kind}`, value)
}
