import type { PermissionKey } from '#config/permissions.ts'
import { withDefault } from '#contract/access.ts'
import { findPerson, person, record } from '../activity/activity.ts'
import { handle } from '../core/handle.ts'
import { memberToChange } from './members.ts'
import { Refusal } from '../platform/refusal.ts'

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
    const [by, to] = [person(user), await findPerson(userId, services)]
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
