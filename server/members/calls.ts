import type { PermissionKey } from '#config/permissions.ts'
import {
  adminPermissions,
  allPermissions,
  defaultPermission,
  findPlan,
  holds,
  withDefault,
} from '#contract/access.ts'
import { record } from '../activity/record.ts'
import { mailNotice } from '../core/notices.ts'
import { onFacts, type CurrentUser, type Handlers, type Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { SentInvite } from '../store/invites.ts'
import type { SubscriptionForWrite } from '../store/shown-subscription.ts'

export const memberCalls = {
  async getSubscriptionUsers({ input, user, subscription: { id, plan_id } }, { store, now }) {
    const wish = { ...input, language: user.language, now: now() }
    const { taken, ...listed } = await store.members.listUsers(id, wish)
    return { ...listed, seats: { total: findPlan(plan_id)!.seats, ...taken } }
  },

  updateUserPermissions: onFacts(
    lockInvitesOf,
    async ({ input, subscription, user }, services, invites) => {
      const { userId, was } = input
      const { id: subscriptionId } = subscription
      const held = requireChangeable(subscription, userId)
      if (was && !isSame(withDefault(was), held))
        throw new Refusal('permissionsChanged', { permissions: held })
      const permissions = withDefault(input.permissions)
      if (isSame(permissions, held)) return {}
      await services.store.members.setPermissions({ subscriptionId, userId, permissions })
      const entry = { by: user, to: { id: userId }, in: subscriptionId }
      const details = { from: held, to: permissions }
      await record('permissionsChanged', { ...entry, details }, services)
      await mailNotice('roleChanged', { to: userId, by: user, in: subscriptionId }, services)
      if (!adminPermissions.some((key) => permissions.includes(key)))
        await endOrKeep(invites, { by: user, keep: keepsInvites(input, user) }, services)
      return {}
    },
  ),

  removeUser: onFacts(lockInvitesOf, async ({ input, subscription, user }, services, invites) => {
    const { userId } = input
    requireChangeable(subscription, userId)
    await services.store.members.remove({ subscriptionId: subscription.id, userId })
    await record('memberRemoved', { by: user, to: { id: userId }, in: subscription.id }, services)
    await mailNotice('memberRemoved', { to: userId, by: user, in: subscription.id }, services)
    await endOrKeep(invites, { by: user, keep: keepsInvites(input, user) }, services)
    return {}
  }),

  leaveSubscription: onFacts(
    ({ input: { subscriptionId }, user }, { store }) =>
      store.invites.lockOfHost({ hostId: user.uid, subscriptionId }),
    async ({ subscription, user }, services, invites) => {
      if (subscription.owner_id === user.uid) throw new Refusal('ownerCannotLeave')
      await services.store.members.remove({ subscriptionId: subscription.id, userId: user.uid })
      await record('memberLeft', { by: user, in: subscription.id }, services)
      await endOrKeep(invites, { by: user }, services)
      return {}
    },
  ),
} satisfies Partial<Handlers>

/** The permissions of a member. Nobody may change or remove the owner. */
function requireChangeable(subscription: SubscriptionForWrite, userId: string) {
  if (userId === subscription.owner_id) throw new Refusal('ownerUntouchable')
  if (!holds(subscription, userId, defaultPermission)) throw new Refusal('userNotFound')
  return allPermissions.filter((key) => holds(subscription, userId, key))
}

function isSame(one: PermissionKey[], other: PermissionKey[]) {
  return one.join() === other.join()
}

type AboutMember = { subscriptionId: string; userId: string }

async function lockInvitesOf({ input }: { input: AboutMember }, { store }: Services) {
  const { subscriptionId, userId: hostId } = input
  return store.invites.lockOfHost({ hostId, subscriptionId })
}

/** Nobody can keep invites who gives up the right to send some. */
function keepsInvites(input: { userId: string; keepInvites?: true | undefined }, by: CurrentUser) {
  return input.keepInvites === true && input.userId !== by.uid
}

/** Revokes invites whose host may invite nobody any more, or makes the caller their host. */
async function endOrKeep(
  invites: SentInvite[],
  { by, keep = false }: { by: CurrentUser; keep?: boolean },
  services: Services,
) {
  const { store, now } = services
  for (const { id, email, subscriptionId } of invites) {
    if (keep) await store.invites.setHost({ id, hostId: by.uid })
    else await store.invites.end({ id, status: 'revoked', now: now() })
    const entry = { by, to: email, in: subscriptionId }
    await record(keep ? 'inviteKept' : 'inviteRevoked', entry, services)
  }
}
