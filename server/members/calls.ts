import type { PermissionKey } from '#config/permissions.ts'
import { findPlan, withDefault } from '#contract/access.ts'
import { findPerson, record } from '../activity/record.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import { memberToChange } from './members.ts'

export const getSubscriptionUsers = handle(
  'getSubscriptionUsers',
  async ({ input, subscription }, { store, now }) => {
    const { page, pageSize, permission, search } = input
    const listed = await store.members.listUsers(subscription.id, {
      page,
      pageSize,
      permission,
      search,
      now: now(),
    })
    const seats = {
      total: findPlan(subscription.plan_id)!.seats,
      members: await store.members.count(subscription.id),
      pending: await store.invites.countOpen(subscription.id, now()),
    }
    return { ...listed, seats }
  },
)

export const updateUserPermissions = handle(
  'updateUserPermissions',
  async ({ input, subscription, user }, services) => {
    const { userId, was } = input
    const { id } = subscription
    const held = memberToChange(subscription, userId)
    if (was && !isSame(withDefault(was), held))
      throw new Refusal('permissionsChanged', { permissions: held })
    const permissions = withDefault(input.permissions)
    if (isSame(permissions, held)) return {}
    await services.store.members.setPermissions({ subscriptionId: id, userId, permissions })
    const [by, to] = [user, await findPerson(userId, services)]
    await record(
      'permissionsChanged',
      { by, to, in: id, details: { from: held, to: permissions } },
      services,
    )
    return {}
  },
)

function isSame(one: PermissionKey[], other: PermissionKey[]) {
  return one.join() === other.join()
}

export const removeUser = handle(
  'removeUser',
  async ({ input: { userId }, subscription, user }, services) => {
    memberToChange(subscription, userId)
    await services.store.members.remove(subscription.id, userId)
    await record(
      'memberRemoved',
      { by: user, to: await findPerson(userId, services), in: subscription.id },
      services,
    )
    return {}
  },
)

export const leaveSubscription = handle(
  'leaveSubscription',
  async ({ subscription, user }, services) => {
    if (subscription.owner_id === user.uid) throw new Refusal('ownerCannotLeave')
    await services.store.members.remove(subscription.id, user.uid)
    await record('memberLeft', { by: user, in: subscription.id }, services)
    return {}
  },
)
