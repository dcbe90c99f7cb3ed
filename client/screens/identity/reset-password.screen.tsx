import { paths } from '#contract/paths.ts'
import { useLocation } from 'react-router'
import { CallForm } from '../../components/call-form.tsx'
import { TextField } from '../../components/text-field.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useT } from '../../i18n.ts'
import { AuthCard } from '../../layouts/auth-card.tsx'
import { usePrefilledEmail } from './use-prefilled-email.ts'

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
        <TextField
          name="email"
          type="email"
          label="auth.email"
          autoComplete="username"
          defaultValue={usePrefilledEmail()}
          required
        />
      </CallForm>
      <p className="text-center">
        <TextLink to={paths.signIn + search}>{t('auth.backToSignIn')}</TextLink>
      </p>
    </AuthCard>
  )
}
