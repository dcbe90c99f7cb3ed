import { useRef } from 'react'
import { CallForm } from '../../components/call-form.tsx'
import { closeWith } from '../../components/close-with.ts'
import { DialogCancel } from '../../components/dialog-cancel.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useT } from '../../i18n.ts'

type RevokeInviteProps = {
  subscriptionId: string
  inviteId: string
  email: string
  /** Of the person, or their address. */
  name: string
  /** `done` says what was done; empty if nothing was. */
  onClose: (done: string) => void
}

export function RevokeInvite({
  subscriptionId,
  inviteId,
  email,
  name,
  onClose,
}: RevokeInviteProps) {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <Dialog ref={dialog} title={t('users.revoke.title', { name })} onClose={onClose}>
      <div className="grid gap-3">
        <CallForm
          call="revokeInvite"
          input={() => ({ subscriptionId, inviteId })}
          submit="users.revoke.action"
          failed="users.revoke.failed"
          onDone={() => closeWith(t('users.revoke.done', { name }), dialog, onClose)}
          danger
          wide
        >
          <p className="text-soft wrap-anywhere">{t('users.revoke.text', { email })}</p>
        </CallForm>
        <DialogCancel dialog={dialog} />
      </div>
    </Dialog>
  )
}
