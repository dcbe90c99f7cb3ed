import type { SubscriptionUser } from '#contract/entities.ts'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { KeepInvites } from './keep-invites.tsx'

type RemoveUserProps = {
  user: SubscriptionUser
  name: string
  /** `done` says what was done, and is empty if nothing was. */
  onClose: (done: string) => void
}

export function RemoveUser({ user, name, onClose }: RemoveUserProps) {
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
