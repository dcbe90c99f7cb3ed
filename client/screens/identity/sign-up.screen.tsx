import { limits } from '#config/limits.ts'
import { paths } from '#contract/paths.ts'
import { useLocation } from 'react-router'
import { Breakable } from '../../components/breakable.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { PasswordField, TextField } from '../../components/fields.tsx'
import { Message } from '../../components/message.tsx'
import { TextLink } from '../../components/button.tsx'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { EmailField } from './email-field.tsx'
import { ProviderButtons } from './providers.tsx'

export function SignUp() {
  const t = useT()
  const language = useLanguage()
  const { search, state } = useLocation()
  const signIn = (
    <>
      {t('auth.haveAccount')}{' '}
      <TextLink to={paths.signIn + search} state={state}>
        {t('auth.signIn')}
      </TextLink>
    </>
  )

  return (
    <AuthCard title={t('auth.createYourAccount')} intro={signIn}>
      {typeof state?.deleted === 'string' && (
        <Message tone="good">
          <Breakable text={state.deleted} />
        </Message>
      )}
      <CallForm call="signUp" submit="auth.createAccount" failed="auth.signUpFailed" wide>
        <input type="hidden" name="language" value={language} />
        <TextField
          name="fullName"
          label="auth.fullName"
          autoComplete="name"
          maxLength={100}
          defaultValue={typeof state?.fullName === 'string' ? state.fullName : undefined}
          required
        />
        <EmailField />
        <PasswordField
          name="password"
          label="auth.password"
          autoComplete="new-password"
          minLength={limits.passwords.minLength}
          maxLength={limits.passwords.maxLength}
          hint="auth.passwordHint"
        />
      </CallForm>
      <ProviderButtons />
    </AuthCard>
  )
}
