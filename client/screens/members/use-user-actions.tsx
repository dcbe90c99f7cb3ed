import type { SubscriptionUser } from '#contract/entities.ts'
import type { MessageKey } from '#locales/keys.ts'
import { LogOut, MailX, Send, ShieldCheck, UserMinus, type LucideIcon } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import type { CallError } from '../../api/post.ts'
import { useAction } from '../../api/call.ts'
import { useSession } from '../../api/use-session.tsx'
import type { MenuAction } from '../../components/menu-button.tsx'
import { Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { toast } from '../../toasts.ts'
import { EditPermissions } from './edit-permissions.tsx'
import { LeaveProject } from './leave-project.tsx'
import { RemoveUser } from './remove-user.tsx'
import { RevokeInvite } from './revoke-invite.tsx'
import { nameOf } from './use-user-columns.tsx'

type Opened = { action: 'edit' | 'remove' | 'revoke' | 'leave'; user: SubscriptionUser }

/** The actions on the rows, their dialog and their refusals. */
export function useUserActions() {
  const t = useT()
  const { user: self } = useSession()
  const { subscriptionId } = useProject()
  const resend = useAction('resendInvite', fail)
  const [opened, setOpened] = useState<Opened>()
  const [refused, setRefused] = useState<ReactNode>()
  const region = useRef<HTMLElement>(null)

  function actionsOf(user: SubscriptionUser): MenuAction[] {
    const ask = (action: Opened['action']) => () => {
      setRefused(undefined)
      setOpened({ action, user })
    }
    const edit = action('edit', 'users.edit.action', ShieldCheck, ask('edit'))
    if (user.is_owner) return []
    if (user.status === 'pending')
      return [
        action('resend', 'users.resend.action', Send, () => void sendAgain(user)),
        action('revoke', 'users.revoke.action', MailX, ask('revoke')),
      ]
    if (user.id === self.uid)
      return [edit, action('leave', 'people.leave.action', LogOut, ask('leave'))]
    return [edit, action('remove', 'users.remove.action', UserMinus, ask('remove'))]
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
  function end(done = '') {
    setOpened(undefined)
    if (done) toast(done)
    if (done || document.activeElement === document.body)
      region.current?.focus({ preventScroll: true })
  }

  const user = opened?.user
  const dialog = user && (
    <>
      {opened.action === 'edit' && (
        <EditPermissions
          user={user}
          onSaved={() => toast(t('users.edit.done', { name: nameOf(user) }))}
          onClose={() => end()}
        />
      )}
      {opened.action === 'remove' && <RemoveUser user={user} onClose={end} />}
      {opened.action === 'revoke' && (
        <RevokeInvite
          subscriptionId={subscriptionId}
          inviteId={user.id}
          email={user.email}
          name={nameOf(user)}
          onClose={end}
        />
      )}
      {opened.action === 'leave' && <LeaveProject onClose={() => end()} />}
    </>
  )
  return { region, refused, actionsOf, dialog }
}
