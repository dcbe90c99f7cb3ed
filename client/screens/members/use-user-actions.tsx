import type { PermissionKey } from '#config/permissions.ts'
import { makesAdmin } from '#contract/access.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import type { MessageKey } from '#locales/keys.ts'
import { Link2, LogOut, MailX, Send, ShieldCheck, UserMinus, type LucideIcon } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useAction } from '../../api/call.ts'
import { MenuLine, type MenuAction, type MenuEntry } from '../../components/menu-button.tsx'
import { Problem } from '../../components/message.tsx'
import { useRoles } from '../../components/permission-boxes.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { toast } from '../../platform/toasts.ts'
import { EditPermissions, singleRoles, useChangeRole } from './edit-permissions.tsx'
import { LeaveProject } from './leave-project.tsx'
import { nameOf } from './user-list.tsx'
import { ResendProblem } from './resend-problem.tsx'
import { useInviteLink } from './use-invite-link.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { KeepInvites } from './keep-invites.tsx'

function isSame(one: PermissionKey[], other: PermissionKey[]) {
  return one.length === other.length && one.every((key) => other.includes(key))
}

/** The actions of a row in the users table, and the dialogs and refusals that they show. */
export function useUserActions() {
  const t = useT()
  const { user: self, subscriptionId, closed } = useProject()
  const { role, text } = useRoles()
  const changeRole = useChangeRole()
  const resend = useAction('resendInvite', (error) => tell(<ResendProblem error={error} />))
  const link = useInviteLink({
    show: (dialog) => (dialog ? ask(dialog) : end('')),
    onRefused: (error) => tell(<Problem error={error} failed="users.link.failed" />),
  })
  const [dialog, setDialog] = useState<ReactNode>()
  const [refused, setRefused] = useState<ReactNode>()
  const region = useRef<HTMLElement>(null)

  /** Has the roles on a phone, which has no menu of them. */
  function actionsOf(user: SubscriptionUser): MenuEntry[] {
    if (user.is_owner) return []
    if (user.status === 'pending') return actionsOfInvite(user)
    return [
      ...(closed ? [] : rolesOnPhone(user)),
      user.id === self.uid
        ? action('leave', 'people.leave.action', LogOut, () => ask(<LeaveProject onClose={end} />))
        : {
            ...action('remove', 'users.remove.action', UserMinus, () =>
              ask(<RemoveUser user={user} name={nameOf(user)} onClose={end} />),
            ),
            look: 'text-bad',
          },
    ]
  }

  function rolesOnPhone(user: SubscriptionUser): MenuEntry[] {
    const roles = rolesOf(user).map((role) =>
      'isChosen' in role ? { ...role, look: 'wide:hidden' } : role,
    )
    const line = { key: 'line', content: <MenuLine /> }
    return [{ key: 'roles', content: <RolesTitle /> }, ...roles, line]
  }

  /** The roles to choose from in a row, of whose owner and invited people it has none. */
  function rolesOf(user: SubscriptionUser): MenuAction[] {
    if (closed || user.is_owner || user.status === 'pending') return []
    return [
      ...singleRoles.map((permissions) => ({
        key: role(permissions),
        label: role(permissions),
        note: text(permissions),
        isChosen: isSame(permissions, user.permissions),
        onSelect: () => choose(user, permissions),
      })),
      action('edit', 'users.edit.action', ShieldCheck, () => edit(user)),
    ]
  }

  /** Whoever stops being an administrator loses more than a second press brings back. */
  function choose(user: SubscriptionUser, permissions: PermissionKey[]) {
    if (isSame(permissions, user.permissions)) return
    if (makesAdmin(user.permissions) && !makesAdmin(permissions)) edit(user, permissions)
    else void changeRole(user, permissions)
  }

  function edit(user: SubscriptionUser, to?: PermissionKey[]) {
    ask(<EditPermissions user={user} name={nameOf(user)} to={to} onClose={end} />)
  }

  function actionsOfInvite(user: SubscriptionUser) {
    const { id: inviteId, email } = user
    const name = nameOf(user)
    const revocation = (
      <ConfirmDialog
        call="revokeInvite"
        title={t('users.revoke.title', { name })}
        input={() => ({ subscriptionId, inviteId })}
        submit="users.revoke.action"
        failed="users.revoke.failed"
        said={t('users.revoke.done', { name })}
        onClose={end}
      >
        <p className="text-soft wrap-anywhere">{t('users.revoke.text', { email })}</p>
      </ConfirmDialog>
    )
    const revoke = action('revoke', 'users.revoke.action', MailX, () => ask(revocation))
    if (closed) return [revoke]
    return [
      action('resend', 'users.resend.action', Send, () => void sendAgain(user)),
      // The link of an expired invitation would open nothing.
      ...(user.is_expired
        ? []
        : [action('link', 'users.link.action', Link2, () => void copyLink(user))]),
      revoke,
    ]
  }

  function ask(dialog: ReactNode) {
    setRefused(undefined)
    setDialog(dialog)
  }

  function action(key: string, label: MessageKey, icon: LucideIcon, onSelect: () => void) {
    return { key, label: t(label), icon, onSelect }
  }

  async function sendAgain({ id, email }: SubscriptionUser) {
    setRefused(undefined)
    if (await resend.run({ subscriptionId, inviteId: id })) toast(t('users.resend.done', { email }))
  }

  function copyLink(user: SubscriptionUser) {
    setRefused(undefined)
    return link.copy(user)
  }

  function tell(refused: ReactNode) {
    setRefused(refused)
    region.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }

  /** `done` says what was done, and is empty if nothing was. The row can be gone even then. */
  function end(done: string) {
    setDialog(undefined)
    if (done || document.activeElement === document.body)
      region.current?.focus({ preventScroll: true })
  }

  return { actionsOf, rolesOf, ask, end, tell, region, refused, dialog }
}

function RolesTitle() {
  const t = useT()
  return (
    <p className="px-3 pt-2 pb-1 text-label font-strong text-faint wide:hidden">
      {t('users.role')}
    </p>
  )
}

type RemoveUserProps = {
  user: SubscriptionUser
  name: string
  /** `done` says what was done, and is empty if nothing was. */
  onClose: (done: string) => void
}

function RemoveUser({ user, name, onClose }: RemoveUserProps) {
  const t = useT()
  const { subscriptionId, name: project } = useProject()
  const [isKept, setKept] = useState(false)
  return (
    <ConfirmDialog
      call="removeUser"
      title={t('users.remove.title', { name })}
      input={() => ({ subscriptionId, userId: user.id, ...(isKept && { keepInvites: true }) })}
      submit="users.remove.action"
      failed="users.remove.failed"
      said={t('users.remove.done', { name })}
      onClose={onClose}
    >
      <p className="text-soft wrap-anywhere">{t('users.remove.text', { project })}</p>
      <KeepInvites count={user.invites_sent} isKept={isKept} onKeep={setKept} />
    </ConfirmDialog>
  )
}
