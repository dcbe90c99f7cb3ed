import type { CallInput } from '#contract/calls.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useT } from '../../platform/i18n.ts'

type RevokeInviteProps = CallInput<'revokeInvite'> & {
  email: string
  name: string
  /** Runs when the dialog closes. `done` says what was done, and is empty if nothing was. */
  onClose: (done: string) => void
}

export function RevokeInvite({ email, name, onClose, ...input }: RevokeInviteProps) {
  const t = useT()
  return (
    <ConfirmDialog
      call="revokeInvite"
      title={t('users.revoke.title', { name })}
      input={() => input}
      submit="users.revoke.action"
      failed="users.revoke.failed"
      said={t('users.revoke.done', { name })}
      onClose={onClose}
    >
      <p className="text-soft wrap-anywhere">{t('users.revoke.text', { email })}</p>
    </ConfirmDialog>
  )
}
