import type { VerifiedAccount } from '#contract/entities.ts'
import { paths } from '#contract/paths.ts'
import { useState } from 'react'
import { Navigate } from 'react-router'
import type { CallError } from '../../api/post.ts'
import { useOnce } from '../../api/use-once.ts'
import { useVisitor } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { LiveProblem, LiveRegion, Message } from '../../components/message.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import type { NewsOnTheWay } from '../../layouts/news.tsx'
import { providerLabel } from '../../platform/runtime.ts'
import { placeOf } from './place-to-verify.ts'
import { ToPasswordReset, WayOn } from './way-on.tsx'

/**
 * Verifies the address when the screen opens. Leads the account's user on to where they waited.
 * Shows anybody else whose account it is, and lets them reject the account.
 */
export function VerifyEmail({ oobCode }: { oobCode: string }) {
  const t = useT()
  const format = useFormat()
  const visitor = useVisitor()
  const { output, error, retry } = useOnce('applyActionCode', { oobCode })
  const [isAsking, setAsking] = useState(false)
  const [isDeleted, setDeleted] = useState(false)
  // The refusal of a used link contains the account that the link verified.
  const account = output?.account ?? (error?.details['account'] as VerifiedAccount | undefined)
  const way = { to: paths.dashboard, label: 'common.toProjects' } as const
  const inWords = (providers: string[]) => format.list(providers.map(providerLabel))

  function close(result: string) {
    setAsking(false)
    setDeleted(result !== '')
  }

  if (!account)
    return (
      <AuthCard title={t('auth.action.verifyEmail')}>
        <LiveProblem error={error} failed="auth.action.verificationFailed" retry={retry} />
        {error ? (
          <WayOn
            to={paths.profile}
            label="auth.action.newVerificationLink"
            signIn="auth.action.signInForNewLink"
            email={error.details['email'] as string | undefined}
          />
        ) : (
          <Spinner className="min-h-20" />
        )}
      </AuthCard>
    )
  const { email, displayName: name, creationTime } = account
  if (isDeleted)
    return (
      <AuthCard title={t('auth.action.notMine.deleted')}>
        <LiveRegion>
          <Message tone="good">{t('auth.action.notMine.done')}</Message>
        </LiveRegion>
        <WayOn {...way} />
      </AuthCard>
    )
  if (visitor.status === 'signedIn' && visitor.user.email === email)
    return <Navigate to={placeOf(visitor.user.uid)} state={{ news: verified }} replace />
  return (
    <AuthCard title={t('auth.action.verified')}>
      <LiveRegion className="grid gap-3">
        <Message tone="good" title={t('auth.action.addressVerified', { email })}>
          {t('auth.action.verifiedAccount', { name, date: format.date(creationTime) })}
        </Message>
        {output?.unlinked && (
          <Message tone="warn" action={<ToPasswordReset email={email} />}>
            {t('auth.action.providersUnlinked', { providers: inWords(output.unlinked) })}
          </Message>
        )}
      </LiveRegion>
      <WayOn {...way} email={email} />
      <Button variant="quiet" size="large" onClick={() => setAsking(true)}>
        {t('auth.action.notMine.action')}
      </Button>
      {isAsking && <RejectVerification oobCode={oobCode} email={email} onClose={close} />}
    </AuthCard>
  )
}

const verified: NewsOnTheWay = { tone: 'good', says: 'auth.action.emailVerified' }

type RejectVerificationProps = {
  oobCode: string
  email: string
  /** Runs when the dialog closes. `result` is empty if nothing was deleted. */
  onClose: (result: string) => void
}

/** Asks first, then deletes an account that the owner of its email address did not create. */
function RejectVerification({ oobCode, email, onClose }: RejectVerificationProps) {
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
