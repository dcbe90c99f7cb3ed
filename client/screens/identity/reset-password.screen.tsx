import { paths } from '#contract/paths.ts'
import { CallForm } from '../../components/call-form.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { useT } from '../../platform/i18n.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { EmailField, useLinksWithAddress } from './email-field.tsx'

export function ResetPassword() {
  const t = useT()
  const { linkTo, onType } = useLinksWithAddress()
  return (
    <AuthCard title={t('auth.resetPassword')} intro={t('auth.resetPasswordIntro')} front>
      <CallForm
        call="sendPasswordResetEmail"
        submit="auth.sendResetLink"
        done="auth.resetLinkSent"
        failed="auth.resetFailed"
        wide
      >
        <EmailField onType={onType} />
      </CallForm>
      <ButtonLink {...linkTo(paths.signIn)} size="large" className="-mt-2">
        {t('auth.backToSignIn')}
      </ButtonLink>
    </AuthCard>
  )
}
