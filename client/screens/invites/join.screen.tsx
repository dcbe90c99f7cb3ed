import type { CallOutput } from '#contract/calls.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { useAction } from '../../api/call.ts'
import { useSession, useVisitor } from '../../api/session.ts'
import { useOnce } from '../../api/use-once.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { useGoOn } from '../../components/use-go-on.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { useT } from '../../platform/i18n.ts'
import { useMailedCode } from '../../platform/mailed-code.ts'
import { withReturn } from '../../platform/return-path.ts'
import { WayOn } from '../identity/way-on.tsx'
import { BrokenLink, Checking, Opening, ToProjects, VerifyFirst } from './opened-link.tsx'

/** The screen that a project's join link opens. */
export function Join() {
  const code = useMailedCode()
  return code ? <JoinByCode key={code} code={code} /> : <BrokenLink />
}

/** The general texts tell an administrator what to do. */
const forGuests = { inviteNotFound: 'invites.link.over', seatsFull: 'invites.link.noSeat' } as const

function JoinByCode({ code }: { code: string }) {
  const t = useT()
  const { status } = useVisitor()
  const { output, error, retry } = useOnce('checkJoinLink', { code })
  if (error)
    return (
      <AuthCard title={t('invites.title')}>
        <LiveProblem error={error} words={forGuests} retry={retry} />
        <WayOn to={paths.dashboard} label="common.toProjects" />
      </AuthCard>
    )
  if (!output) return <Checking />
  return (
    <Opening invite={output}>
      {status === 'signedIn' ? (
        <JoinProject code={code} {...output} />
      ) : (
        <SignInFirst code={code} />
      )}
    </Opening>
  )
}

/** Leads back here. */
function SignInFirst({ code }: { code: string }) {
  const t = useT()
  const linkTo = (path: string) => ({ to: withReturn(path, paths.join), state: { code } })
  return (
    <div className="grid gap-3">
      <ButtonLink {...linkTo(paths.signUp)} variant="primary" size="large">
        {t('auth.createAccount')}
      </ButtonLink>
      <ButtonLink {...linkTo(paths.signIn)} size="large">
        {t('invites.signInToJoin')}
      </ButtonLink>
    </div>
  )
}

type JoinProjectProps = { code: string } & Pick<CallOutput<'checkJoinLink'>, 'subscription_name'>

function JoinProject({ code, subscription_name: name }: JoinProjectProps) {
  const t = useT()
  const goOn = useGoOn()
  const { user } = useSession()
  const { busy, error, run } = useAction('joinByLink')

  async function join() {
    const joined = await run({ code })
    const words = { project: name || t('common.untitledProject') }
    if (joined)
      goOn(projectPath('subscription', joined.subscriptionId), {
        news: { tone: 'good', says: 'invites.accepted', words },
      })
  }

  if (!user.claimed) return <VerifyFirst text="invites.link.verify" />
  return (
    <>
      <LiveProblem error={error} failed="invites.link.failed" words={forGuests} />
      <div className="grid gap-3">
        <Button variant="primary" size="large" busy={busy} onClick={() => void join()}>
          {t('invites.link.submit')}
        </Button>
        <ToProjects />
      </div>
    </>
  )
}
