import type { AuthUser, VerifiedAccount } from '#contract/entities.ts'
import { paths } from '#contract/paths.ts'
import { useState } from 'react'
import { Navigate } from 'react-router'
import { useOnce } from '../../api/use-once.ts'
import { useVisitor } from '../../api/session.ts'
import { ButtonLink } from '../../components/button.tsx'
import { LiveProblem, LiveRegion, Message } from '../../components/message.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { withReturn } from '../../platform/return-path.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import type { NewsOnTheWay } from '../../layouts/news.tsx'
import { providerLabel } from '../../platform/runtime.ts'
import {
  ClaimAccount,
  hoursUntilDeletion,
  RejectVerification,
  type Rejected,
} from './claim-or-reject.tsx'
import { placeOf } from './place-to-verify.ts'
import { ToPasswordReset, WayOn } from './way-on.tsx'

/** The link's screen after a sign-in. The code comes along in the tab's history. */
const backHere = `${paths.authAction}?mode=verifyEmail`

/**
 * Verifies the address when the screen opens, after the session is known. Leads the account's user
 * on to where they waited. Anybody else sees whose account it is, and can claim or reject it.
 */
export function VerifyEmail({ oobCode }: { oobCode: string }) {
  const t = useT()
  const visitor = useVisitor()
  const user = visitor.status === 'signedIn' ? visitor.user : undefined
  // Somebody who signs in here claims the account by that, and the link is not used once more.
  const [opener] = useState(user?.uid)
  const { output, error, retry } = useOnce('applyActionCode', { oobCode }, opener)
  const [rejected, setRejected] = useState<Rejected>()
  // The refusal of a used link contains the account that the link verified.
  const account = output?.account ?? (error?.details['account'] as VerifiedAccount | undefined)

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
  if (rejected)
    return (
      <AuthCard title={t('auth.action.notMine.deleted')}>
        <LiveRegion>
          <Message tone="good">
            {rejected === 'returned'
              ? t('auth.action.notMine.returned')
              : t('auth.action.notMine.done', { hours: hoursUntilDeletion })}
          </Message>
        </LiveRegion>
        <WayOn to={paths.dashboard} label="common.toProjects" />
      </AuthCard>
    )
  if (user?.email === account.email)
    return user.claimed || user.uid === opener ? (
      <ToPlace user={user} />
    ) : (
      <ClaimSignedIn oobCode={oobCode} user={user} />
    )
  return (
    <Verified
      account={account}
      oobCode={oobCode}
      unlinked={output?.unlinked ?? []}
      isSignedIn={user !== undefined}
      onRejected={setRejected}
    />
  )
}

/** Claims the account for a user who has signed in to it on this screen. */
function ClaimSignedIn({ oobCode, user }: { oobCode: string; user: AuthUser }) {
  const t = useT()
  const { output, error, retry } = useOnce('applyActionCode', { oobCode }, user.uid)
  if (output || (error && !retry)) return <ToPlace user={user} />
  return (
    <AuthCard title={t('auth.action.verifyEmail')}>
      <LiveProblem error={error} failed="auth.action.claim.failed" retry={retry} />
      {!error && <Spinner className="min-h-20" />}
    </AuthCard>
  )
}

const verified: NewsOnTheWay = { tone: 'good', says: 'auth.action.emailVerified' }

function ToPlace({ user }: { user: AuthUser }) {
  return <Navigate to={placeOf(user.uid)} state={{ news: verified }} replace />
}

type VerifiedProps = {
  account: VerifiedAccount
  oobCode: string
  unlinked: string[]
  isSignedIn: boolean
  onRejected: (rejected: Rejected) => void
}

function Verified({ account, oobCode, unlinked, isSignedIn, onRejected }: VerifiedProps) {
  const t = useT()
  const format = useFormat()
  const [isNew, setNew] = useState(false)
  const { email, displayName: name, creationTime, claimed = false } = account
  const providers = format.list(unlinked.map(providerLabel))
  return (
    <AuthCard title={t('auth.action.verified')}>
      <LiveRegion className="grid gap-3">
        <Message tone="good" title={t('auth.action.addressVerified', { email })}>
          {t('auth.action.verifiedAccount', { name, date: format.date(creationTime) })}
        </Message>
        {unlinked.length > 0 && (
          <Message tone="warn" action={<ToPasswordReset email={email} />}>
            {t('auth.action.providersUnlinked', { providers })}
          </Message>
        )}
      </LiveRegion>
      {claimed || isSignedIn ? (
        <WayOn to={paths.dashboard} label="common.toProjects" email={email} />
      ) : (
        <>
          <ButtonLink
            to={withReturn(paths.signIn, backHere)}
            state={{ email, code: oobCode }}
            size="large"
          >
            {t('auth.signIn')}
          </ButtonLink>
          <ClaimAccount oobCode={oobCode} email={email} isNew={isNew} onChoose={setNew} />
        </>
      )}
      {!claimed && (
        <RejectVerification
          oobCode={oobCode}
          email={email}
          onRejected={onRejected}
          onMine={isSignedIn ? undefined : () => setNew(true)}
        />
      )}
    </AuthCard>
  )
}
