import { paths } from '#contract/paths.ts'
import type { CallError } from '../../api/post.ts'
import { useVisitor } from '../../api/use-session.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Message } from '../../components/message.tsx'
import { useT } from '../../i18n.ts'

type RejectVerificationProps = {
  oobCode: string
  email: string
  /** `result` is empty if nothing was deleted. */
  onClose: (result: string) => void
}

/** Asks somebody who didn't make the account whether it is to be deleted. */
export function RejectVerification({ oobCode, email, onClose }: RejectVerificationProps) {
  const t = useT()
  const { status } = useVisitor()

  function explain({ reason }: CallError) {
    if (reason !== 'ownsActiveProjects' && reason !== 'auth/expired-action-code') return undefined
    return (
      <Message
        tone="bad"
        title={t('auth.action.notMine.failed')}
        action={
          // The screen of the reset is for those who are signed out.
          status === 'signedOut' && (
            <ButtonLink to={paths.resetPassword} state={{ email }}>
              {t('auth.resetPassword')}
            </ButtonLink>
          )
        }
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
