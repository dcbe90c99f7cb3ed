import { limits } from '#config/limits.ts'
import { useState } from 'react'
import type { CallError } from '../../api/post.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Message } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'
import { ToPasswordReset } from './way-on.tsx'

/** What has become of an account that the owner of its address rejected. */
export type Rejected = 'ended' | 'returned'

type Props = {
  oobCode: string
  email: string
  onRejected: (rejected: Rejected) => void
  /** The user would rather have the account. Missing for somebody who is signed in to another. */
  onMine?: (() => void) | undefined
}

export const hoursUntilDeletion = limits.rejectedAccount / 3_600_000

/** Ends an account that the owner of its address did not create, after a question. */
export function RejectVerification({ oobCode, email, onRejected, onMine }: Props) {
  const t = useT()
  const [isAsking, setAsking] = useState(false)

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
    <>
      <Button variant="quiet" size="large" onClick={() => setAsking(true)}>
        {t('auth.action.notMine.action')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          call="rejectVerification"
          title={t('auth.action.notMine.title')}
          input={() => ({ oobCode })}
          submit="auth.action.notMine.submit"
          failed="auth.action.notMine.failed"
          reasons={{ 'auth/invalid-action-code': 'auth.action.notMine.gone' }}
          explain={explain}
          onDone={({ returned }) => onRejected(returned ? 'returned' : 'ended')}
          onClose={() => setAsking(false)}
        >
          <p className="text-soft wrap-anywhere">
            {t('auth.action.notMine.text', { hours: hoursUntilDeletion })}
          </p>
          {onMine && (
            <Button
              size="large"
              onClick={() => {
                setAsking(false)
                onMine()
              }}
            >
              {t('auth.action.claim.newPasswordTitle')}
            </Button>
          )}
        </ConfirmDialog>
      )}
    </>
  )
}
