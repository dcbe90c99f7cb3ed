import type { Invite } from '#contract/entities.ts'
import { paths } from '#contract/paths.ts'
import { useSearchParams } from 'react-router'
import { useOnce } from '../../api/use-once.ts'
import { useVisitor } from '../../api/use-session.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useT } from '../../i18n.ts'
import { AuthCard } from '../../layouts/auth-card.tsx'
import { AnswerInvitation, SignInToAnswer, SignedInAsSomebodyElse } from './answer-invitation.tsx'
import { useInvitedAs } from './use-invited-as.ts'

/** Where the link in the invitation's mail leads. */
export function Invitation() {
  const code = useSearchParams()[0].get('code')
  return code ? <InvitationByCode code={code} /> : <NoInvitation />
}

function InvitationByCode({ code }: { code: string }) {
  const t = useT()
  const session = useVisitor()
  const { output, error, retry } = useOnce('checkInvite', { code }, session.status === 'signedIn' ? session.user.uid : '')
  if (output) return <OpenInvitation invite={output.invite} />
  return (
    <AuthCard title={t('invites.title')}>
      {error ? <Problem error={error} retry={retry} /> : <Spinner className="min-h-20" />}
      {error && <ToProjects />}
    </AuthCard>
  )
}

function OpenInvitation({ invite }: { invite: Invite }) {
  const t = useT()
  const session = useVisitor()
  const invitedAs = useInvitedAs()
  return (
    <AuthCard title={t('invites.join', { project: invite.subscription_name || t('project.untitled') })} intro={invitedAs(invite)}>
      {session.status !== 'signedIn' && <SignInToAnswer invite={invite} />}
      {session.status === 'signedIn' && session.user.email === invite.email && <AnswerInvitation invite={invite} />}
      {session.status === 'signedIn' && session.user.email !== invite.email && (
        <SignedInAsSomebodyElse invite={invite} email={session.user.email} />
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

function ToProjects() {
  const t = useT()
  return (
    <ButtonLink to={paths.dashboard} size="large">
      {t('common.toProjects')}
    </ButtonLink>
  )
}
