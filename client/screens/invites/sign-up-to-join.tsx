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
import { useWelcome } from './use-answer.tsx'

type SignUpToJoinProps = CallOutput<'checkInvite'> & {
  code: string
  /** Called with `true` before the account is created, and with `false` after a refusal. */
  onJoining: (isJoining: boolean) => void
  /** Gets why the new user could not join, or that the invitation has ended. */
  onRefused: (error: CallError) => void
}

/** Creates an account for the invited address, and joins the project with it. */
export function SignUpToJoin(props: SignUpToJoinProps) {
  const { invite, name, isMailed, code, onJoining, onRefused } = props
  const t = useT()
  const language = useLanguage()
  const goOn = useGoOn()
  const news = useWelcome(invite)
  const accept = useAction('acceptInvite', refused)
  const signIn = useSignInToJoin(invite.email)

  function refused(error: CallError) {
    onJoining(false)
    onRefused(error)
  }

  /** After a copied link, the new user has to verify the address before they can join. */
  async function join() {
    if (!isMailed) return onJoining(false)
    if (await accept.run({ inviteId: invite.id }))
      goOn(projectPath('subscription', invite.subscription_id), { news })
  }

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
        holdBack={() => {
          onJoining(true)
          return false
        }}
        onRefused={(error) => {
          onJoining(false)
          if (error.reason.startsWith('invite')) onRefused(error)
        }}
        onDone={join}
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

/** For an invited address that has an account. */
export function SignInToJoin({ email }: { email: string }) {
  const t = useT()
  return (
    <>
      <p className="text-center text-soft">{t('errors.auth/email-already-in-use')}</p>
      <ButtonLink {...useSignInToJoin(email)} variant="primary" size="large">
        {t('invites.signInToJoin')}
      </ButtonLink>
    </>
  )
}

/** A link to the sign-in, which starts with the address and leads back to the invitation. */
function useSignInToJoin(email: string) {
  const { pathname, search } = useLocation()
  const code = useMailedCode()
  return { to: withReturn(paths.signIn, pathname + search), state: { email, code } }
}
