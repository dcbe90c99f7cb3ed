import { paths } from '#contract/paths.ts'
import { useRef } from 'react'
import type { CallError } from '../../api/post.ts'
import { useVisitor } from '../../api/use-session.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { closeWith } from '../../components/close-with.ts'
import { DialogCancel } from '../../components/dialog-cancel.tsx'
import { Dialog } from '../../components/dialog.tsx'
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
  const dialog = useRef<HTMLDialogElement>(null)

  function explain({ reason }: CallError) {
    if (reason === 'auth/invalid-action-code')
      return <Message tone="bad">{t('auth.action.notMine.gone')}</Message>
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
        {t(
          reason === 'ownsActiveProjects'
            ? 'auth.action.notMine.owns'
            : 'auth.action.notMine.expired',
        )}
      </Message>
    )
  }

  return (
    <Dialog ref={dialog} title={t('auth.action.notMine.title')} onClose={onClose}>
      <div className="grid gap-3">
        <CallForm
          call="rejectVerification"
          input={() => ({ oobCode })}
          submit="auth.action.notMine.submit"
          failed="auth.action.notMine.failed"
          explain={explain}
          onDone={() => closeWith('deleted', dialog, onClose)}
          danger
          wide
        >
          <p className="text-soft wrap-anywhere">{t('auth.action.notMine.text', { email })}</p>
        </CallForm>
        <DialogCancel dialog={dialog} />
      </div>
    </Dialog>
  )
}
