import type { VerifiedAccount } from '#contract/entities.ts'
import { paths } from '#contract/paths.ts'
import { useState } from 'react'
import { useOnce } from '../../api/use-once.ts'
import { useVisitor } from '../../api/use-session.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import { AuthCard } from '../../layouts/auth-card.tsx'
import { providerLabel } from '../../runtime.ts'
import { RejectVerification } from './reject-verification.tsx'

/** Verifies by itself. Somebody who isn't signed in to the account reads whose it is, and can say that they didn't make it. */
export function VerifyEmail({ oobCode }: { oobCode: string }) {
  const t = useT()
  const format = useFormat()
  const visitor = useVisitor()
  const { output, error, retry } = useOnce('applyActionCode', { oobCode })
  const [isAsking, setAsking] = useState(false)
  const [isDeleted, setDeleted] = useState(false)
  // A link that was used before is refused with the account that it verified.
  const account = output?.account ?? (error?.details['account'] as VerifiedAccount | undefined)

  if (!account) {
    return (
      <AuthCard title={t('auth.action.verifyEmail')}>
        <LiveRegion>
          {error && <Problem error={error} failed="auth.action.verificationFailed" retry={retry} />}
        </LiveRegion>
        {error ? <WayToNewLink /> : <Spinner className="min-h-20" />}
      </AuthCard>
    )
  }
  if (isDeleted) {
    return (
      <AuthCard title={t('auth.action.notMine.submit')}>
        <LiveRegion>
          <Message tone="good">{t('auth.action.notMine.done')}</Message>
        </LiveRegion>
        <WayOn />
      </AuthCard>
    )
  }
  const { email, displayName: name, creationTime } = account
  if (visitor.status === 'signedIn' && visitor.user.email === email) {
    return (
      <AuthCard title={t('auth.action.verifyEmail')}>
        <LiveRegion>
          <Message tone="good">{t('auth.action.emailVerified')}</Message>
        </LiveRegion>
        <WayOn />
      </AuthCard>
    )
  }
  return (
    <AuthCard title={t('auth.action.verifyEmail')}>
      <LiveRegion className="grid gap-3">
        <Message tone="good" title={t('auth.action.addressVerified', { email })}>
          {t('auth.action.verifiedAccount', { name, date: format.date(creationTime) })}
        </Message>
        {output?.unlinked && <Unlinked providers={output.unlinked} email={email} />}
      </LiveRegion>
      <WayOn email={email} />
      <Button variant="quiet" size="large" onClick={() => setAsking(true)}>
        {t('auth.action.notMine.action')}
      </Button>
      {isAsking && <RejectVerification oobCode={oobCode} email={email} onClose={close} />}
    </AuthCard>
  )

  function close(result: string) {
    setAsking(false)
    setDeleted(result !== '')
  }
}

function Unlinked({ providers, email }: { providers: string[]; email: string }) {
  const t = useT()
  const format = useFormat()
  const { status } = useVisitor()
  return (
    <Message
      tone="warn"
      action={
        // The screen of the reset is for those who are signed out.
        status === 'signedOut' && (
          <ButtonLink to={paths.resetPassword} state={{ email }}>
            {t('auth.resetPassword')}
          </ButtonLink>
        )
      }
    >
      {t('auth.action.providersUnlinked', { providers: format.list(providers.map(providerLabel)) })}
    </Message>
  )
}

function WayOn({ email }: { email?: string }) {
  const t = useT()
  const { status } = useVisitor()
  return status === 'signedIn' ? (
    <ButtonLink to={paths.dashboard} variant="primary" size="large">
      {t('common.toProjects')}
    </ButtonLink>
  ) : (
    <ButtonLink to={paths.signIn} state={{ email }} variant="primary" size="large">
      {t('auth.signIn')}
    </ButtonLink>
  )
}

function WayToNewLink() {
  const t = useT()
  const { status } = useVisitor()
  return status === 'signedIn' ? (
    <ButtonLink to={paths.profile} variant="primary" size="large">
      {t('auth.action.newVerificationLink')}
    </ButtonLink>
  ) : (
    <ButtonLink to={paths.signIn} variant="primary" size="large">
      {t('auth.action.signInForNewLink')}
    </ButtonLink>
  )
}
