import type { Invite } from '#contract/entities.ts'
import { useSearchParams } from 'react-router'
import type { CallError } from '../../api/post.ts'
import { useOnce } from '../../api/use-once.ts'
import { useVisitor } from '../../api/use-session.tsx'
import { Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useT } from '../../i18n.ts'
import { AuthCard } from '../../layouts/auth-card.tsx'
import {
  AnswerInvitation,
  SignInToAnswer,
  SignedInAsSomebodyElse,
  ToProjects,
} from './answer-invitation.tsx'
import { useInvitedAs } from './words.ts'

/** Opens from the link in the invitation's mail. */
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
  const isAccepted = error?.details['status'] === 'accepted'
  if (output) return <OpenInvitation invite={output.invite} />
  return (
    <AuthCard title={t('invites.title')}>
      {!error && <Spinner className="min-h-20" />}
      {error && isAccepted && <Message tone="neutral">{t('invites.acceptedAlready')}</Message>}
      {error && !isAccepted && <Problem error={error} words={wordsFor(error)} retry={retry} />}
      {error && <ToProjects />}
    </AuthCard>
  )
}

/** Says why the invitation is no longer open. */
function wordsFor({ details: { status } }: CallError) {
  const ended = status === 'rejected' || status === 'revoked' ? endings[status] : undefined
  return {
    inviteNotFound: 'invites.unknownLink',
    ...(ended && { inviteNotPending: ended }),
  } as const
}

const endings = { rejected: 'invites.rejectedAlready', revoked: 'invites.revokedAlready' } as const

function OpenInvitation({ invite }: { invite: Invite }) {
  const t = useT()
  const session = useVisitor()
  const invitedAs = useInvitedAs()
  return (
    <AuthCard
      title={t('invites.join', {
        project: invite.subscription_name || t('common.untitledProject'),
      })}
      intro={invitedAs(invite)}
    >
      {session.status !== 'signedIn' && <SignInToAnswer invite={invite} />}
      {session.status === 'signedIn' && session.user.email === invite.email && (
        <AnswerInvitation invite={invite} />
      )}
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
