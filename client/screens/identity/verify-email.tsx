import { paths } from '#contract/paths.ts'
import { useOnce } from '../../api/use-once.ts'
import { useVisitor } from '../../api/use-session.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useT } from '../../i18n.ts'
import { AuthCard } from '../../layouts/auth-card.tsx'

/** Verifies by itself; there is nothing to decide. */
export function VerifyEmail({ oobCode }: { oobCode: string }) {
  const t = useT()
  const { status } = useVisitor()
  const { output, error, retry } = useOnce('applyActionCode', { oobCode })
  const wayOn =
    status === 'signedIn' ? (
      <ButtonLink to={error ? paths.profile : paths.dashboard} variant="primary" size="large">
        {t(error ? 'auth.action.newVerificationLink' : 'common.toProjects')}
      </ButtonLink>
    ) : (
      <ButtonLink to={paths.signIn} variant="primary" size="large">
        {t(error ? 'auth.action.signInForNewLink' : 'auth.signIn')}
      </ButtonLink>
    )
  return (
    <AuthCard title={t('auth.action.verifyEmail')}>
      <LiveRegion>
        {output && <Message tone="good">{t('auth.action.emailVerified')}</Message>}
        {error && <Problem error={error} failed="auth.action.verificationFailed" retry={retry} />}
      </LiveRegion>
      {output || error ? wayOn : <Spinner className="min-h-20" />}
    </AuthCard>
  )
}
