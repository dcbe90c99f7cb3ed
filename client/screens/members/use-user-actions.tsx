import type { SubscriptionUser } from '#contract/entities.ts'
import type { MessageKey } from '#locales/keys.ts'
import { LogOut, MailX, Send, ShieldCheck, UserMinus, type LucideIcon } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import type { CallError } from '../../api/post.ts'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../api/use-session.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import type { MenuAction } from '../../components/menu-button.tsx'
import { Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { toast } from '../../toasts.ts'
import { EditPermissions } from './edit-permissions.tsx'
import { LeaveProject } from './leave-project.tsx'
import { RevokeInvite } from './revoke-invite.tsx'
import { nameOf } from './use-user-columns.tsx'

/** The actions on the rows, their dialog and their refusals. */
export function useUserActions() {
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
        ask(<EditPermissions user={user} onClose={end} />),
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

  /** `done` says what was done, if anything was. The row can vanish without that, too. */
  function end(done: string) {
    setDialog(undefined)
    if (done) toast(done)
    if (done || document.activeElement === document.body)
      region.current?.focus({ preventScroll: true })
  }

  return { region, refused, actionsOf, dialog }
}
