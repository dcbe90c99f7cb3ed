import { paths } from '#contract/paths.ts'
import { useState } from 'react'
import { AddressField } from '../../components/address-field.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { useT } from '../../platform/i18n.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { useEmailField, useLinksWithAddress } from './use-email-field.ts'

export function ResetPassword() {
  const t = useT()
  const { linkTo, onType } = useLinksWithAddress()
  const emailField = useEmailField()
  const [isSent, setSent] = useState(false)
  return (
    <AuthCard title={t('auth.resetPassword')} intro={t('auth.resetPasswordIntro')} front>
      <CallForm
        call="sendPasswordResetEmail"
        submit={isSent ? 'auth.sendResetLinkAgain' : 'auth.sendResetLink'}
        onDone={() => setSent(true)}
        plain={isSent}
        done="auth.resetLinkSent"
        failed="auth.resetFailed"
        wide
      >
        <AddressField {...emailField} onType={onType} />
      </CallForm>
      <ButtonLink {...linkTo(paths.signIn)} size="large" className="-mt-2">
        {t('auth.backToSignIn')}
      </ButtonLink>
    </AuthCard>
  )
}
