import { paths } from '#contract/paths.ts'
import { useLocation } from 'react-router'
import { CallForm } from '../../components/call-form.tsx'
import { TextLink } from '../../components/button.tsx'
import { useT } from '../../platform/i18n.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { EmailField } from './email-field.tsx'

export function ResetPassword() {
  const t = useT()
  const { search } = useLocation()
  return (
    <AuthCard title={t('auth.resetPassword')} intro={t('auth.resetPasswordIntro')}>
      <CallForm
        call="sendPasswordResetEmail"
        submit="auth.sendResetLink"
        done="auth.resetLinkSent"
        failed="auth.resetFailed"
        wide
      >
        <EmailField />
      </CallForm>
      <p className="text-center">
        <TextLink to={paths.signIn + search}>{t('auth.backToSignIn')}</TextLink>
      </p>
    </AuthCard>
  )
}
