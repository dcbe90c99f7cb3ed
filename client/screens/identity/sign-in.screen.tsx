import { paths } from '#contract/paths.ts'
import { useLocation } from 'react-router'
import { useVisitor } from '../../api/session.ts'
import { CallForm } from '../../components/call-form.tsx'
import { Message } from '../../components/message.tsx'
import { PasswordField } from '../../components/fields.tsx'
import { TextLink } from '../../components/button.tsx'
import { useT } from '../../platform/i18n.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { EmailField } from './email-field.tsx'
import { ProviderButtons } from './providers.tsx'

export function SignIn() {
  const t = useT()
  const { search, state } = useLocation()
  const session = useVisitor()
  const signUp = (
    <>
      {t('auth.newHere')}{' '}
      <TextLink to={paths.signUp + search} state={state}>
        {t('auth.createAccount')}
      </TextLink>
    </>
  )
  return (
    <AuthCard title={t('auth.signInTo')} intro={signUp}>
      {session.status === 'signedOut' && session.because === 'ended' && (
        <Message tone="warn">{t('errors.sessionEnded')}</Message>
      )}
      <CallForm call="signIn" submit="auth.signIn" failed="auth.signInFailed" wide>
        <EmailField />
        <PasswordField
          name="password"
          label="auth.password"
          autoComplete="current-password"
          aside={
            <TextLink to={paths.resetPassword + search} className="text-small">
              {t('auth.forgotPassword')}
            </TextLink>
          }
        />
      </CallForm>
      <ProviderButtons />
    </AuthCard>
  )
}
