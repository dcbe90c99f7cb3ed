import type { PermissionKey } from '#config/permissions.ts'
import { findPlan, withDefault } from '#contract/access.ts'
import { record } from '../activity/record.ts'
import { tell } from '../core/notices.ts'
import type { CurrentUser, Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { TakenSeats } from '../store/invites.ts'

export type Coming = NonNullable<Awaited<ReturnType<Services['store']['invites']['findComing']>>>
type Admitted = {
  /** Who comes. */
  by: { id: string; displayName: string }
  in: string
  permissions: readonly PermissionKey[]
  way: 'link' | 'request'
}

/**
 * Makes somebody a member who does not accept an invitation. An open one is accepted with it: they
 * hold what both promise, because they could have had either, and one seat. The caller has locked the
 * subscription and holds the account.
 */
export async function admit(
  coming: Coming,
  { by, in: id, ...given }: Admitted,
  services: Services,
) {
  const { store, now } = services
  if (coming.lookOnly) throw new Refusal('lookOnly', coming.lookOnly)
  requireSeats(coming, { more: coming.invitedAs ? 0 : 1 })
  const permissions = withDefault([...given.permissions, ...(coming.invitedAs ?? [])])
  const { email, invitedBy } = coming
  const joined = { by, in: id }
  await Promise.all([
    store.members.add({ subscriptionId: id, userId: by.id, permissions, now: now() }),
    store.invites.endOfMember({ userId: by.id, email, now: now() }),
    record('memberJoined', { ...joined, details: { permissions, by: given.way } }, services),
    invitedBy !== null &&
      tell({ id: invitedBy }, 'invitationAccepted', { by, subscriptionId: id }, services),
  ])
}

export async function holdAccount(userId: string, { store }: Services) {
  if (!(await store.users.hold(userId))) throw new Refusal('sessionEnded')
}

export function requireVerified(user: CurrentUser) {
  if (!user.emailVerified) throw new Refusal('emailNotVerified')
}

/** An address that anything may have verified shows nothing of its owner's invites. */
export function requireClaimed(user: CurrentUser) {
  requireVerified(user)
  if (!user.claimed) throw new Refusal('claimRequired')
}

/** During a change of plan, the seats of the smaller one count. The caller has locked the row. */
export function requireSeats(
  { planId, nextPlanId, heldPlanId, members, pending }: TakenSeats,
  { more = 0 } = {},
) {
  const plans = [planId, nextPlanId, heldPlanId].flatMap((id) => (id === null ? [] : findPlan(id)!))
  const seats = Math.min(...plans.map((plan) => plan.seats))
  if (members + pending + more > seats) throw new Refusal('seatsFull', { seats })
}
