import type { SubscriptionUser } from '#contract/entities.ts'
import type { MessageKey } from '#locales/keys.ts'
import {
  Ellipsis,
  LogOut,
  MailX,
  Send,
  ShieldCheck,
  UserMinus,
  type LucideIcon,
} from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import type { CallError } from '../../api/post.ts'
import { useAction } from '../../api/call.ts'
import { useSession } from '../../api/session.ts'
import { Badge } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { MenuButton, type MenuAction } from '../../components/menu-button.tsx'
import { Message, Problem } from '../../components/message.tsx'
import { RoleChips } from '../../components/permission-boxes.tsx'
import { PersonCell } from '../../components/person-cell.tsx'
import type { Column } from '../../components/table.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { toast } from '../../platform/toasts.ts'
import { EditPermissions } from './edit-permissions.tsx'
import { LeaveProject } from './leave-project.tsx'
import { RevokeInvite } from './revoke-invite.tsx'

/** The columns of the users table, and the dialogs and refusals of its row actions. */
export function useUserColumns() {
  const t = useT()
  const format = useFormat()
  const { user: self } = useSession()
  const { isActive } = useProject()
  const { actionsOf, shown } = useUserActions()
  const columns: Column<SubscriptionUser>[] = [
    {
      title: 'users.person',
      // The other columns are as wide as their content, this one has the rest.
      look: 'wide:w-full wide:max-w-0',
      folded: 'narrow:row-span-2',
      cell: ({ id, display_name, email }) => (
        <PersonCell {...{ id, email }} name={display_name}>
          {id === self.uid && <Badge>{t('users.you')}</Badge>}
        </PersonCell>
      ),
    },
    {
      title: 'users.role',
      folded: 'narrow:justify-self-end',
      cell: ({ status, permissions, pending_permissions, is_owner }) => (
        <RoleChips
          permissions={status === 'pending' ? pending_permissions : permissions}
          isOwner={is_owner}
        />
      ),
    },
    {
      title: 'users.created',
      look: 'whitespace-nowrap text-soft tabular-nums',
      folded: 'narrow:sr-only',
      cell: ({ created }) => format.date(created),
    },
    {
      title: 'users.status',
      folded: 'narrow:col-start-2 narrow:row-start-2 narrow:justify-self-end',
      cell: (user) => (
        <Badge tone={user.is_expired ? 'neutral' : user.status === 'active' ? 'good' : 'warn'} dot>
          {t(`users.statuses.${user.is_expired ? 'expired' : user.status}`)}
        </Badge>
      ),
    },
  ]
  const actions: Column<SubscriptionUser> = {
    title: 'users.actions',
    unnamed: true,
    end: true,
    folded: 'narrow:col-start-3 narrow:row-span-2 narrow:row-start-1 narrow:-me-2',
    cell: (user) =>
      actionsOf(user).length > 0 && (
        <MenuButton
          label={t('users.actionsFor', { name: nameOf(user) })}
          actions={actionsOf(user)}
          className="grid size-9 place-items-center rounded-control text-soft transition-colors hover:bg-sunken hover:text-ink aria-expanded:bg-sunken aria-expanded:text-ink"
        >
          <Ellipsis className="size-4.5" />
        </MenuButton>
      ),
  }
  return { columns: isActive ? [...columns, actions] : columns, ...shown }
}

function nameOf({ display_name, email }: SubscriptionUser) {
  return display_name || email
}

function useUserActions() {
  const t = useT()
  const { user: self } = useSession()
  const { subscriptionId, name: project } = useProject()
  const resend = useAction('resendInvite', fail)
  const [dialog, setDialog] = useState<ReactNode>()
  const [refused, setRefused] = useState<ReactNode>()
  const region = useRef<HTMLElement>(null)

  function actionsOf(user: SubscriptionUser): MenuAction[] {
    if (user.is_owner) return []
    if (user.status === 'pending')
      return [
        action('resend', 'users.resend.action', Send, () => void sendAgain(user)),
        action('revoke', 'users.revoke.action', MailX, () =>
          ask(
            <RevokeInvite
              subscriptionId={subscriptionId}
              inviteId={user.id}
              email={user.email}
              name={nameOf(user)}
              onClose={end}
            />,
          ),
        ),
      ]
    return [
      action('edit', 'users.edit.action', ShieldCheck, () =>
        ask(<EditPermissions user={user} name={nameOf(user)} onClose={end} />),
      ),
      user.id === self.uid
        ? action('leave', 'people.leave.action', LogOut, () => ask(<LeaveProject onClose={end} />))
        : action('remove', 'users.remove.action', UserMinus, () => ask(removal(user))),
    ]
  }

  function removal(user: SubscriptionUser) {
    const name = nameOf(user)
    return (
      <ConfirmDialog
        call="removeUser"
        title={t('users.remove.title', { name })}
        input={() => ({ subscriptionId, userId: user.id })}
        submit="users.remove.action"
        failed="users.remove.failed"
        onDone={() => t('users.remove.done', { name })}
        onClose={end}
      >
        <p className="text-soft wrap-anywhere">{t('users.remove.text', { project })}</p>
      </ConfirmDialog>
    )
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

  function fail(error: CallError) {
    const minutes = Math.ceil(Number(error.details['retryAfter']) / 60)
    setRefused(
      error.reason === 'auth/too-many-requests' ? (
        <Message tone="warn" title={t('users.resend.failed')}>
          {t('users.resend.tooSoon', { count: minutes })}
        </Message>
      ) : (
        <Problem error={error} failed="users.resend.failed" />
      ),
    )
    region.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }

  /** `done` says what was done, and is empty if nothing was. The row can be gone even then. */
  function end(done: string) {
    setDialog(undefined)
    if (done) toast(done)
    if (done || document.activeElement === document.body)
      region.current?.focus({ preventScroll: true })
  }

  return { actionsOf, shown: { region, refused, dialog } }
}
