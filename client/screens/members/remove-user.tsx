import type { SubscriptionUser } from '#contract/entities.ts'
import { useRef } from 'react'
import { CallForm } from '../../components/call-form.tsx'
import { closeWith } from '../../components/close-with.ts'
import { DialogCancel } from '../../components/dialog-cancel.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { nameOf } from './use-user-columns.tsx'

/** `onClose` is told what was done, if anything was. */
export function RemoveUser({
  user,
  onClose,
}: {
  user: SubscriptionUser
  onClose: (done: string) => void
}) {
  const t = useT()
  const { subscriptionId, name: project } = useProject()
  const dialog = useRef<HTMLDialogElement>(null)
  const name = nameOf(user)
  return (
    <Dialog ref={dialog} title={t('users.remove.title', { name })} onClose={onClose}>
      <div className="grid gap-3">
        <CallForm
          call="removeUser"
          input={() => ({ subscriptionId, userId: user.id })}
          submit="users.remove.action"
          failed="users.remove.failed"
          onDone={() => closeWith(t('users.remove.done', { name }), dialog, onClose)}
          danger
          wide
        >
          <p className="text-soft wrap-anywhere">{t('users.remove.text', { project })}</p>
        </CallForm>
        <DialogCancel dialog={dialog} />
      </div>
    </Dialog>
  )
}
