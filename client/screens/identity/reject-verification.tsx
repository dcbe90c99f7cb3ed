import type { CallError } from '../../api/post.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Message } from '../../components/message.tsx'
import { useT } from '../../i18n.ts'
import { ToPasswordReset } from './way-on.tsx'

type RejectVerificationProps = {
  oobCode: string
  email: string
  /** `result` is empty if nothing was deleted. */
  onClose: (result: string) => void
}

/** Asks before it deletes an account that its address's owner did not make. */
export function RejectVerification({ oobCode, email, onClose }: RejectVerificationProps) {
  const t = useT()

  function explain({ reason }: CallError) {
    if (reason !== 'ownsActiveProjects' && reason !== 'auth/expired-action-code') return undefined
    return (
      <Message
        tone="bad"
        title={t('auth.action.notMine.failed')}
        action={<ToPasswordReset email={email} />}
      >
        {t(`auth.action.notMine.${reason === 'ownsActiveProjects' ? 'owns' : 'expired'}`)}
      </Message>
    )
  }

  return (
    <ConfirmDialog
      call="rejectVerification"
      title={t('auth.action.notMine.title')}
      input={() => ({ oobCode })}
      submit="auth.action.notMine.submit"
      failed="auth.action.notMine.failed"
      reasons={{ 'auth/invalid-action-code': 'auth.action.notMine.gone' }}
      explain={explain}
      onDone={() => 'deleted'}
      onClose={onClose}
    >
      <p className="text-soft wrap-anywhere">{t('auth.action.notMine.text', { email })}</p>
    </ConfirmDialog>
  )
}
