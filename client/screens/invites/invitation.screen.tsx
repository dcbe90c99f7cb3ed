import type { Invite } from '#contract/entities.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { refreshUser, signOut, useSession, useVisitor } from '../../api/session.ts'
import { useOnce } from '../../api/use-once.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { LiveRegion, Message, Problem, type ReasonWords } from '../../components/message.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useGoOn } from '../../components/use-go-on.ts'
import { useT } from '../../platform/i18n.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { withReturn } from '../../platform/return-path.ts'
import { VerifyEmailNote } from '../profile/send-verification.tsx'
import { useAnswer, useInvitedAs } from './use-answer.tsx'

/** The screen that the link in an invitation mail opens. */
export function Invitation() {
  const code = useSearchParams()[0].get('code')
  return code ? <InvitationByCode code={code} /> : <NoInvitation />
}

function InvitationByCode({ code }: { code: string }) {
  const t = useT()
  const session = useVisitor()
  const { output, error, retry } = useOnce(
    'checkInvite',
    { code },
    session.status === 'signedIn' ? session.user.uid : '',
  )
  const status = String(error?.details['status'])
  if (output) return <OpenInvitation invite={output.invite} />
  return (
    <AuthCard title={t('invites.title')}>
      {status === 'accepted' ? (
        <Message tone="neutral">{t('invites.acceptedAlready')}</Message>
      ) : (
        <Problem
          error={error}
          words={{ inviteNotFound: 'invites.unknownLink', ...endings[status] }}
          retry={retry}
        />
      )}
      {error ? <ToProjects /> : <Spinner className="min-h-20" />}
    </AuthCard>
  )
}

const endings: Partial<Record<string, ReasonWords>> = {
  rejected: { inviteNotPending: 'invites.rejectedAlready' },
  revoked: { inviteNotPending: 'invites.revokedAlready' },
}

function OpenInvitation({ invite }: { invite: Invite }) {
  const t = useT()
  const visitor = useVisitor()
  const user = visitor.status === 'signedIn' ? visitor.user : undefined
  const { sentence, meaning } = useInvitedAs()(invite)
  return (
    <AuthCard
      title={t('invites.join', {
        project: invite.subscription_name || t('common.untitledProject'),
      })}
      intro={t('common.sentences', { first: sentence, second: meaning })}
    >
      {!user && <SignInToAnswer invite={invite} />}
      {user?.email === invite.email && <AnswerInvitation invite={invite} />}
      {user && user.email !== invite.email && (
        <SignedInAsSomebodyElse invite={invite} email={user.email} />
      )}
    </AuthCard>
  )
}

function NoInvitation() {
  const t = useT()
  return (
    <AuthCard title={t('invites.title')}>
      <Message tone="bad" title={t('auth.action.incomplete')}>
        {t('auth.action.brokenLinkHelp')}
      </Message>
      <ToProjects />
    </AuthCard>
  )
}

function AnswerInvitation({ invite }: { invite: Invite }) {
  const t = useT()
  const goOn = useGoOn()
  const { user } = useSession()
  const { accept, reject, problem } = useAnswer(invite)

  async function join() {
    if (await accept.run()) goOn(projectPath('subscription', invite.subscription_id))
  }

  if (!user.emailVerified) return <VerifyFirst />
  return (
    <>
      <LiveRegion>
        {problem}
        {reject.done && <Message tone="neutral">{t('invites.rejected')}</Message>}
      </LiveRegion>
      {reject.done ? (
        <ToProjects />
      ) : (
        <div className="grid gap-3">
          <Button variant="primary" size="large" busy={accept.busy} onClick={() => void join()}>
            {t('invites.accept')}
          </Button>
          <Button size="large" busy={reject.busy} onClick={() => void reject.run()}>
            {t('invites.reject')}
          </Button>
        </div>
      )}
    </>
  )
}

/** For a copied link: unlike a mailed one, it doesn't verify the address of whoever opens it. */
function VerifyFirst() {
  useEffect(() => {
    // The user verifies the address in another tab, then comes back.
    const look = () => void refreshUser()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])
  return (
    <>
      <VerifyEmailNote text="invites.verifyFirst" />
      <ToProjects />
    </>
  )
}

function SignInToAnswer({ invite: { email } }: { invite: Invite }) {
  const t = useT()
  const { pathname, search } = useLocation()
  const here = pathname + search
  return (
    <>
      <p className="text-center text-soft">{t('invites.signInAs', { email })}</p>
      <div className="grid gap-3">
        <ButtonLink
          to={withReturn(paths.signUp, here)}
          state={{ email }}
          variant="primary"
          size="large"
        >
          {t('auth.createAccount')}
        </ButtonLink>
        <ButtonLink to={withReturn(paths.signIn, here)} state={{ email }} size="large">
          {t('auth.signIn')}
        </ButtonLink>
      </div>
    </>
  )
}

function SignedInAsSomebodyElse({ invite, email }: { invite: Invite; email: string }) {
  const t = useT()
  return (
    <>
      <Message tone="warn">{t('invites.somebodyElse', { invited: invite.email, email })}</Message>
      <div className="grid gap-3">
        <Button variant="primary" size="large" onClick={signOut}>
          {t('invites.switchAccount')}
        </Button>
        <ToProjects />
      </div>
    </>
  )
}

function ToProjects() {
  const t = useT()
  return (
    <ButtonLink to={paths.dashboard} size="large">
      {t('common.toProjects')}
    </ButtonLink>
  )
}
