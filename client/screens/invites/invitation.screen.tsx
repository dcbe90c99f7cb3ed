import type { CallOutput } from '#contract/calls.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { useState } from 'react'
import type { CallError } from '../../api/post.ts'
import { signOut, useSession, useVisitor } from '../../api/session.ts'
import { useOnce } from '../../api/use-once.ts'
import { Breakable } from '../../components/breakable.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { LiveRegion, Message, Problem, type ReasonWords } from '../../components/message.tsx'
import { useGoOn } from '../../components/use-go-on.ts'
import { useT } from '../../platform/i18n.ts'
import { useMailedCode } from '../../platform/mailed-code.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { WayOn } from '../identity/way-on.tsx'
import { BrokenLink, Checking, Opening, ToProjects, VerifyFirst } from './opened-link.tsx'
import { SignInToJoin, SignUpToJoin } from './sign-up-to-join.tsx'
import { useAnswer, useWelcome } from './use-answer.tsx'

/** The screen that the link in an invitation mail opens. */
export function Invitation() {
  const code = useMailedCode()
  return code ? <InvitationByCode key={code} code={code} /> : <BrokenLink />
}

/** What the link's code opens. */
type Opened = CallOutput<'checkInvite'>

function InvitationByCode({ code }: { code: string }) {
  const visitor = useVisitor()
  const [isJoining, setJoining] = useState(false)
  const [refusal, setRefusal] = useState<CallError>()
  // While somebody signs up or in and joins, the form stays, although they are signed in by then.
  const user = visitor.status === 'signedIn' && !isJoining ? visitor.user : undefined
  const { output, error, retry } = useOnce('checkInvite', { code }, user?.uid)

  if (error) return <Ended error={error} retry={retry} />
  if (refusal && ends.has(refusal.reason)) return <Ended error={refusal} invite={output?.invite} />
  if (!output) return <Checking />
  const { invite, hasAccount } = output
  const isInvited = user?.email === invite.email
  const joining = { onJoining: setJoining, onRefused: setRefusal }
  return (
    <Opening invite={invite}>
      {!user && hasAccount && <SignInToJoin invite={invite} {...joining} />}
      {!user && !hasAccount && <SignUpToJoin {...output} code={code} {...joining} />}
      {isInvited && <AnswerInvitation invite={invite} refusal={refusal} onRefused={setRefusal} />}
      {user && !isInvited && <SignedInAsSomebodyElse invite={invite} email={user.email} />}
    </Opening>
  )
}

/** Refusals of an answer after which the invitation can't be answered. */
const ends: ReadonlySet<string> = new Set([
  'inviteNotFound',
  'inviteNotPending',
  'inviteExpired',
  'subscriptionCanceled',
  'alreadyMember',
] satisfies CallError['reason'][])

/** What to say instead of the general text, by the invitation's state. */
const endings: Partial<Record<string, ReasonWords>> = {
  rejected: { inviteNotPending: 'invites.rejectedAlready' },
  revoked: { inviteNotPending: 'invites.revokedAlready' },
}

type EndedProps = { error: CallError; invite?: Opened['invite'] | undefined; retry?: () => void }

/** Says why the invitation can't be answered, and what the visitor can do now. */
function Ended({ error, invite, retry }: EndedProps) {
  const t = useT()
  const status = String(error.details['status'])
  const isMember = status === 'accepted' || error.reason === 'alreadyMember'
  const words = { inviteNotFound: 'invites.unknownLink', ...endings[status] } as const
  return (
    <AuthCard title={t('invites.title')}>
      <LiveRegion>
        {isMember ? (
          <Message tone="neutral">
            {t(status === 'accepted' ? 'invites.acceptedAlready' : 'invites.member')}
          </Message>
        ) : (
          <Problem error={error} words={words} retry={retry} />
        )}
      </LiveRegion>
      {isMember && invite ? (
        <ButtonLink
          to={projectPath('subscription', invite.subscription_id)}
          variant="primary"
          size="large"
        >
          {t('invites.openProject')}
        </ButtonLink>
      ) : (
        <WayOn to={paths.dashboard} label="common.toProjects" />
      )}
    </AuthCard>
  )
}

type AnswerProps = Pick<Opened, 'invite'> & {
  /** Why an attempt before this screen could not join, such as the last seat being taken. */
  refusal: CallError | undefined
  onRefused: (error: CallError) => void
}

function AnswerInvitation({ invite, refusal, onRefused }: AnswerProps) {
  const t = useT()
  const goOn = useGoOn()
  const { user } = useSession()
  const news = useWelcome(invite)
  const { accept, reject, problem } = useAnswer(invite, { refusal, onRefused })

  async function join() {
    if (await accept.run()) goOn(projectPath('subscription', invite.subscription_id), { news })
  }

  if (!user.claimed) return <VerifyFirst />
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

function SignedInAsSomebodyElse({ invite, email }: Pick<Opened, 'invite'> & { email: string }) {
  const t = useT()
  return (
    <>
      <Message tone="warn">
        <Breakable text={t('invites.somebodyElse', { invited: invite.email, email })} />
      </Message>
      <div className="grid gap-3">
        <Button variant="primary" size="large" onClick={signOut}>
          {t('invites.switchAccount')}
        </Button>
        <ToProjects />
      </div>
    </>
  )
}
