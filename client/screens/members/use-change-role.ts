import type { PermissionKey } from '#config/permissions.ts'
import { defaultPermission } from '#contract/access.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { act } from '../../api/call.ts'
import { toCallError } from '../../api/post.ts'
import { useShowAtOnce } from '../../api/queries.ts'
import { problemText } from '../../components/message.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useUndoable } from '../../layouts/use-undoable.ts'
import { useT } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/toasts.ts'
import { nameOf, roles } from './use-user-list.ts'

/** What somebody can be at one press: a member, or one thing more. */
export const singleRoles: PermissionKey[][] = [
  [defaultPermission],
  ...roles.map((key) => [defaultPermission, key]),
]

/** Shows a change of permissions in the list before the server has answered. */
export function useShowRole() {
  const { subscriptionId } = useProject()
  const showAtOnce = useShowAtOnce(subscriptionId)
  return (userId: string, permissions: PermissionKey[]) =>
    showAtOnce('getSubscriptionUsers', (known) => ({
      ...known,
      users: known.users.map((user) => (user.id === userId ? { ...user, permissions } : user)),
    }))
}

/** Says that permissions are saved, and offers to undo that. */
export function useSayRole() {
  const t = useT()
  const { subscriptionId } = useProject()
  const sayUndoable = useUndoable()
  return (user: SubscriptionUser, was: PermissionKey[], permissions: PermissionKey[]) =>
    sayUndoable(t('users.edit.done', { name: nameOf(user) }), 'updateUserPermissions', {
      subscriptionId,
      userId: user.id,
      permissions: was,
      was: permissions,
    })
}

/** Changes what somebody may do, without a dialog. */
export function useChangeRole() {
  const t = useT()
  const { subscriptionId } = useProject()
  const show = useShowRole()
  const say = useSayRole()
  return async (user: SubscriptionUser, permissions: PermissionKey[]) => {
    const { id: userId, permissions: was } = user
    const endShowing = await show(userId, permissions)
    try {
      await act('updateUserPermissions', { subscriptionId, userId, permissions, was })
      endShowing(true)
      say(user, was, permissions)
    } catch (error) {
      endShowing(false)
      toastFailure(t('users.edit.failed'), problemText(toCallError(error), t))
    }
  }
}
