import type { PermissionKey } from '#config/permissions.ts'
import { makesAdmin, defaultPermission } from '#contract/access.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { useRef, useState } from 'react'
import { toCallError, type CallError } from '../../api/post.ts'
import { CallForm } from '../../components/call-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Message, problemText } from '../../components/message.tsx'
import { PermissionBoxes, RoleChips, useRoles } from '../../components/permission-boxes.tsx'
import { PersonCell } from './person-cell.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { toast, toastFailure } from '../../platform/toasts.ts'
import { KeepInvites, OwnInvitesEnd } from './keep-invites.tsx'
import { act } from '../../api/call.ts'
import { useShowAtOnce } from '../../api/queries.ts'
import { useUndoable } from '../../layouts/use-undoable.ts'
import { nameOf, roles } from './user-list.tsx'

type EditPermissionsProps = {
  user: SubscriptionUser
  name: string
  /** What is chosen already. */
  to?: PermissionKey[] | undefined
  onClose: (done: string) => void
}

export function EditPermissions({ user, name, to, onClose }: EditPermissionsProps) {
  const t = useT()
  const { role, as } = useRoles()
  const { user: self, subscriptionId, name: project } = useProject()
  const show = useShowRole()
  const say = useSayRole()
  const endShowing = useRef<(isDone: boolean) => void>(undefined)
  const dialog = useRef<HTMLDialogElement>(null)
  const [was, setWas] = useState(user.permissions)
  const [chosen, setChosen] = useState(to ?? user.permissions)
  const [isAsked, setAsked] = useState(false)
  const [isKept, setKept] = useState(false)
  const isOwn = user.id === self.uid
  const isDemoted = makesAdmin(was) && !makesAdmin(chosen)
  const endsOwnAccess = isOwn && isDemoted

  /** Shows the change in the list at once, unless the change closes the list to the user. */
  async function input() {
    endShowing.current = endsOwnAccess ? undefined : await show(user.id, chosen)
    const keepInvites = isKept && isDemoted
    const input = { subscriptionId, userId: user.id, permissions: chosen, was }
    return { ...input, ...(keepInvites && { keepInvites }) }
  }

  function holdBack() {
    const isToAsk = endsOwnAccess && !isAsked
    if (isToAsk) setAsked(true)
    return isToAsk
  }

  function refused({ reason, details }: CallError) {
    endShowing.current?.(false)
    if (reason !== 'permissionsChanged') return
    const held = details['permissions'] as PermissionKey[]
    setWas(held)
    setChosen(held)
    setAsked(false)
  }

  function explain({ reason, details }: CallError) {
    if (reason !== 'permissionsChanged') return undefined
    return (
      <Message tone="warn" title={t('users.edit.changedTitle')}>
        {t('users.edit.changed', {
          permissions: role(details['permissions'] as PermissionKey[]),
        })}
      </Message>
    )
  }

  function finish() {
    endShowing.current?.(true)
    // If the list is now closed to the user, its guard redirects them and says why.
    if (!endsOwnAccess) {
      if (isDemoted) toast(t('users.edit.done', { name, role: as(chosen) }))
      else say(user, was, chosen)
    }
    dialog.current?.close()
  }

  const goBack = () => (isAsked ? setAsked(false) : dialog.current?.close())
  const title = isOwn ? t('users.edit.ownTitle') : t('users.edit.title', { name })
  return (
    <Dialog ref={dialog} title={isAsked ? t('users.edit.giveUpTitle') : title} onClose={onClose}>
      <CallForm
        call="updateUserPermissions"
        input={input}
        holdBack={holdBack}
        submit={isAsked ? 'users.edit.giveUpSubmit' : 'users.edit.submit'}
        failed="users.edit.failed"
        explain={explain}
        onRefused={refused}
        onDone={finish}
        cancel={goBack}
        cancelLabel={isAsked ? 'users.edit.back' : 'common.cancel'}
        cancelRef={isAsked ? focus : undefined}
        danger={isAsked}
      >
        {isAsked ? (
          <>
            <p className="text-soft wrap-anywhere">{t('users.edit.giveUp', { project })}</p>
            <OwnInvitesEnd count={user.invites_sent} />
          </>
        ) : (
          <>
            <div className="flex min-w-0 items-center justify-between gap-3">
              <PersonCell id={user.id} name={user.display_name} email={user.email} />
              <RoleChips permissions={was} />
            </div>
            <PermissionBoxes chosen={chosen} onChoose={setChosen} />
            {isDemoted && !isOwn && (
              <KeepInvites count={user.invites_sent} isKept={isKept} onKeep={setKept} />
            )}
          </>
        )}
      </CallForm>
    </Dialog>
  )
}

/** Focuses the safe button, so that pressing Enter twice doesn't give up a permission. */
function focus(button: HTMLButtonElement | null) {
  button?.focus()
}

/** What somebody can be at one press: a member, or one thing more. */
export const singleRoles: PermissionKey[][] = [
  [defaultPermission],
  ...roles.map((key) => [defaultPermission, key]),
]

/** Shows a change of permissions in the list before the server has answered. */
function useShowRole() {
  const { subscriptionId } = useProject()
  const showAtOnce = useShowAtOnce(subscriptionId)
  return (userId: string, permissions: PermissionKey[]) =>
    showAtOnce('getSubscriptionUsers', (known) => ({
      ...known,
      users: known.users.map((user) => (user.id === userId ? { ...user, permissions } : user)),
    }))
}

/** Says that permissions are saved, and offers to undo that. */
function useSayRole() {
  const t = useT()
  const { subscriptionId } = useProject()
  const { as } = useRoles()
  const sayUndoable = useUndoable()
  return (user: SubscriptionUser, was: PermissionKey[], permissions: PermissionKey[]) =>
    sayUndoable(
      t('users.edit.done', { name: nameOf(user), role: as(permissions) }),
      'updateUserPermissions',
      { subscriptionId, userId: user.id, permissions: was, was: permissions },
    )
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
