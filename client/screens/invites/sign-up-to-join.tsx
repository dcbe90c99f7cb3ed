import type { CallOutput } from '#contract/calls.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { useAction } from '../../api/call.ts'
import type { CallError } from '../../api/post.ts'
import { Breakable } from '../../components/breakable.tsx'
import { ButtonLink, TextLink } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { TextField, textOf } from '../../components/fields.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { NewPasswordField } from '../../components/new-password-fields.tsx'
import { useGoOn } from '../../components/use-go-on.ts'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { useMailedCode } from '../../platform/mailed-code.ts'
import { withReturn } from '../../platform/return-path.ts'
import { ProviderButtons } from '../identity/providers.tsx'
import { SignInForm } from '../identity/sign-in-form.tsx'
import { useWelcome } from './use-answer.tsx'

type JoiningProps = Pick<CallOutput<'checkInvite'>, 'invite'> & {
  /** Called with `true` before the user signs up or in, and with `false` after a refusal. */
  onJoining: (isJoining: boolean) => void
  /** Gets why the user could not join, or that the invitation has ended. */
  onRefused: (error: CallError) => void
}

/** For a form that signs its user up or in, who then joins. Who has not verified the address waits. */
function useJoining({ invite, onJoining, onRefused }: JoiningProps) {
  const goOn = useGoOn()
  const news = useWelcome(invite)
  const accept = useAction('acceptInvite', (error) => {
    onJoining(false)
    onRefused(error)
  })
  return {
    holdBack: () => {
      onJoining(true)
      return false
    },
    onRefused: (error: CallError) => {
      onJoining(false)
      if (error.reason.startsWith('invite')) onRefused(error)
    },
    onDone: async ({ user }: CallOutput<'signIn'>) => {
      if (!user.claimed) return onJoining(false)
      if (await accept.run({ inviteId: invite.id }))
        goOn(projectPath('subscription', invite.subscription_id), { news })
    },
  }
}

type SignUpToJoinProps = CallOutput<'checkInvite'> & JoiningProps & { code: string }

/** Creates an account for the invited address, and joins the project with it. */
export function SignUpToJoin(props: SignUpToJoinProps) {
  const { invite, name, isMailed, code } = props
  const t = useT()
  const language = useLanguage()
  const joining = useJoining(props)
  const signIn = useLinks(invite.email)(paths.signIn)

  /** Somebody may have created the account while the form was open. */
  function explain({ reason }: CallError) {
    if (reason !== 'auth/email-already-in-use') return undefined
    return (
      <Message
        tone="bad"
        title={t('auth.signUpFailed')}
        action={<ButtonLink {...signIn}>{t('invites.signInToJoin')}</ButtonLink>}
      >
        {t('errors.auth/email-already-in-use')}
      </Message>
    )
  }

  return (
    <>
      <CallForm
        call="signUp"
        input={(values) => ({
          fullName: textOf(values, 'fullName'),
          email: invite.email,
          password: textOf(values, 'password'),
          language,
          // The code of a copied link doesn't prove the address.
          ...(isMailed && { inviteCode: code }),
        })}
        {...joining}
        submit={isMailed ? 'invites.createAndJoin' : 'auth.createAccount'}
        failed="auth.signUpFailed"
        explain={explain}
        wide
      >
        <TextField
          name="fullName"
          label="auth.fullName"
          autoComplete="name"
          maxLength={100}
          defaultValue={name ?? undefined}
          required
        />
        <InvitedAddress email={invite.email} />
        <NewPasswordField name="password" label="auth.password" />
      </CallForm>
      <ProviderButtons />
      <p className="text-center text-balance text-soft">
        {t('auth.haveAccount')} <TextLink {...signIn}>{t('invites.signInToJoin')}</TextLink>
      </p>
    </>
  )
}

/** The address that the invitation was mailed to, which nobody can change. */
function InvitedAddress({ email }: { email: string }) {
  const t = useT()
  const [isAsked, setAsked] = useState(false)
  return (
    <div>
      <p className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-small font-strong">{t('auth.email')}</span>
        <button
          type="button"
          aria-expanded={isAsked}
          onClick={() => setAsked(!isAsked)}
          className="rounded-control text-small font-medium text-accent-ink underline-offset-3 hover:underline"
        >
          {t('invites.notYou')}
        </button>
      </p>
      <p className="min-h-10 rounded-control bg-sunken px-3 py-2">
        <Breakable text={email} />
      </p>
      {/* Password managers save the password for this address. */}
      <input
        type="email"
        autoComplete="username"
        value={email}
        readOnly
        tabIndex={-1}
        aria-hidden
        className="sr-only"
      />
      <LiveRegion className="mt-3">
        {isAsked && (
          <Message tone="neutral">
            <Breakable text={t('invites.notYours', { email })} />
          </Message>
        )}
      </LiveRegion>
    </div>
  )
}

/** Signs in with the invited address, and joins the project. */
export function SignInToJoin(props: JoiningProps) {
  const { email } = props.invite
  const t = useT()
  const linkTo = useLinks(email)
  return (
    <>
      <SignInForm
        linkTo={linkTo}
        input={(values) => ({ email, password: textOf(values, 'password') })}
        {...useJoining(props)}
        submit="invites.signInAndJoin"
        reasons={{ 'auth/invalid-credential': 'errors.auth/wrong-password' }}
      >
        <InvitedAddress email={email} />
      </SignInForm>
      <ButtonLink {...linkTo(paths.signIn)} size="large" className="-mt-2">
        {t('invites.signInAnotherWay')}
      </ButtonLink>
    </>
  )
}

/** Makes links to screens for visitors, which start with the address and lead back here. */
function useLinks(email: string) {
  const { pathname, search } = useLocation()
  const state = { email, code: useMailedCode() }
  return (path: string) => ({ to: withReturn(path, pathname + search), state })
}
