import type { SubscriptionUser } from '#contract/entities.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { nameOf } from './use-user-columns.tsx'

/** `done` says what was done, if anything was. */
type RemoveUserProps = { user: SubscriptionUser; onClose: (done: string) => void }

export function RemoveUser({ user, onClose }: RemoveUserProps) {
  const t = useT()
  const { subscriptionId, name: project } = useProject()
  const name = nameOf(user)
  return (
    <ConfirmDialog
      call="removeUser"
      title={t('users.remove.title', { name })}
      input={() => ({ subscriptionId, userId: user.id })}
      submit="users.remove.action"
      failed="users.remove.failed"
      onDone={() => t('users.remove.done', { name })}
      onClose={onClose}
    >
      <p className="text-soft wrap-anywhere">{t('users.remove.text', { project })}</p>
    </ConfirmDialog>
  )
}
