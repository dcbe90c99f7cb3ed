import { paths } from '#contract/paths.ts'
import { Suspense } from 'react'
import type { CallError } from '../../api/post.ts'
import { useVisitor } from '../../api/session.ts'
import { CallForm } from '../../components/call-form.tsx'
import { Message, Problem } from '../../components/message.tsx'
import { PasswordField, TextField } from '../../components/fields.tsx'
import { ButtonLink, TextLink } from '../../components/button.tsx'
import { useT } from '../../platform/i18n.ts'
import { later } from '../../platform/later.ts'
import { offersPasskeys, runtime } from '../../platform/runtime.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { useEmailField, useLinksWithAddress } from './use-email-field.ts'
import { PasskeyButton } from './passkey-button.tsx'

// Products without other ways to sign in need none of it in the page's first chunk.
const ProviderButtons = later(async () => {
  const providers = await import('./providers.tsx').catch(() => undefined)
  return providers?.ProviderButtons ?? Nothing
})
const Nothing = () => null

export function SignIn() {
  const t = useT()
  const { linkTo, onType } = useLinksWithAddress()
  const emailField = useEmailField()
  const session = useVisitor()

  function explain(error: CallError) {
    const isGuess = error.reason === 'auth/invalid-credential'
    if (!isGuess && error.details['way'] !== 'resetPassword') return undefined
    const wayOn = <TextLink {...linkTo(paths.resetPassword)}>{t('auth.resetPassword')}</TextLink>
    const words = { 'auth/too-many-requests': 'auth.tooManyGuesses' } as const
    return <Problem error={error} failed="auth.signInFailed" words={words} action={wayOn} />
  }

  return (
    <AuthCard title={t('auth.signInTo')} front>
      {session.status === 'signedOut' && session.because === 'ended' && (
        <Message tone="warn">{t('errors.sessionEnded')}</Message>
      )}
      {session.status === 'signedOut' && session.told && (
        <Message tone="good">{session.told}</Message>
      )}
      <CallForm
        call="signIn"
        submit="auth.signIn"
        failed="auth.signInFailed"
        explain={explain}
        focused
        wide
      >
        <TextField
          {...emailField}
          autoComplete="username webauthn"
          type="email"
          onInput={({ currentTarget }) => onType(currentTarget.value)}
        />
        <PasswordField
          name="password"
          label="auth.password"
          autoComplete="current-password"
          aside={
            <TextLink
              {...linkTo(paths.resetPassword)}
              className="text-small pointer-coarse:-my-3 pointer-coarse:py-3"
            >
              {t('auth.forgotPassword')}
            </TextLink>
          }
        />
      </CallForm>
      {offersPasskeys && <PasskeyButton />}
      <ButtonLink {...linkTo(paths.signUp)} size="large" className="-mt-2">
        {t('auth.createAccount')}
      </ButtonLink>
      {runtime.signInProviders.length > 0 && (
        <Suspense fallback={<span className="block h-20" />}>
          <ProviderButtons />
        </Suspense>
      )}
    </AuthCard>
  )
}
