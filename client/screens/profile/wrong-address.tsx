import { paths } from '#contract/paths.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallError } from '../../api/post.ts'
import { forgetSession, useSession } from '../../api/session.ts'
import { Breakable } from '../../components/breakable.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Message } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'

/** Deletes an account whose address has a mistake, and lets its user sign up again. */
export function WrongAddress() {
  const t = useT()
  const navigate = useNavigate()
  const { user } = useSession()
  const [isAsking, setAsking] = useState(false)

  function close(result: string) {
    setAsking(false)
    if (!result) return
    // The sign-up has no texts for signed-in people, so it gets this one as it is.
    const deleted = t('profile.wrongAddress.done', { email: user.email })
    const state = { fullName: user.displayName, deleted }
    forgetSession()
    // The end of the session first leads to the sign-in.
    setTimeout(() => navigate(paths.signUp, { replace: true, state }))
  }

  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        {t('profile.wrongAddress.action')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          call="deleteAccount"
          title={t('profile.wrongAddress.title')}
          input={() => ({ confirmationId: user.uid })}
          submit="profile.wrongAddress.submit"
          failed="profile.deleteFailed"
          explain={explain}
          onDone={() => 'deleted'}
          onClose={close}
        >
          <p className="text-soft wrap-anywhere">
            <Breakable text={t('profile.wrongAddress.text', { email: user.email })} />
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function explain({ reason }: CallError) {
  return reason === 'ownsActiveProjects' ? <OwnsProjects /> : undefined
}

function OwnsProjects() {
  const t = useT()
  return (
    <Message
      tone="warn"
      title={t('profile.deleteFailed')}
      action={
        <ButtonLink to={paths.deleteAccount}>{t('profile.wrongAddress.toProjects')}</ButtonLink>
      }
    >
      {t('profile.wrongAddress.owns')}
    </Message>
  )
}
