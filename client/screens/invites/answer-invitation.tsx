import type { Invite } from '#contract/entities.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { useLocation } from 'react-router'
import { signOut } from '../../api/session.ts'
import { useAction } from '../../api/call.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { useGoOn } from '../../components/use-go-on.ts'
import { useT } from '../../i18n.ts'
import { withReturn } from '../../return-path.ts'
import { forInvitees } from './words.ts'

export function AnswerInvitation({ invite }: { invite: Invite }) {
  const t = useT()
  const goOn = useGoOn()
  const accept = useAction('acceptInvite')
  const reject = useAction('rejectInvite')
  const error = accept.error ?? reject.error

  async function join() {
    reject.reset()
    const joined = await accept.run({ inviteId: invite.id })
    if (joined) goOn(projectPath('subscription', invite.subscription_id))
  }

  async function decline() {
    accept.reset()
    await reject.run({ inviteId: invite.id })
  }

  return (
    <>
      <LiveRegion>
        {error && (
          <Problem
            error={error}
            failed={accept.error ? 'invites.acceptFailed' : 'invites.rejectFailed'}
            words={forInvitees}
          />
        )}
        {reject.done && <Message tone="neutral">{t('invites.rejected')}</Message>}
      </LiveRegion>
      {reject.done ? (
        <ToProjects />
      ) : (
        <div className="grid gap-3">
          <Button variant="primary" size="large" busy={accept.busy} onClick={() => void join()}>
            {t('invites.accept')}
          </Button>
          <Button size="large" busy={reject.busy} onClick={() => void decline()}>
            {t('invites.reject')}
          </Button>
        </div>
      )}
    </>
  )
}

export function SignInToAnswer({ invite: { email } }: { invite: Invite }) {
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

export function SignedInAsSomebodyElse({ invite, email }: { invite: Invite; email: string }) {
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

export function ToProjects() {
  const t = useT()
  return (
    <ButtonLink to={paths.dashboard} size="large">
      {t('common.toProjects')}
    </ButtonLink>
  )
}
