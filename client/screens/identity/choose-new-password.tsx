import { paths } from '#contract/paths.ts'
import { useState } from 'react'
import { useOnce } from '../../api/use-once.ts'
import { ButtonLink } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { NewPasswordFields, samePasswords } from '../../components/new-password-fields.tsx'
import { Problem } from '../../components/problem.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { textOf } from '../../components/text-of.ts'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import { AuthCard } from '../../layouts/auth-card.tsx'
import { providerLabel } from '../../runtime.ts'

/** Says that the link has ended before the user thinks up a password. */
export function ChooseNewPassword({ oobCode }: { oobCode: string }) {
  const t = useT()
  const [changed, setChanged] = useState(false)
  const { output: code, error, retry } = useOnce('checkActionCode', { oobCode })
  const isAsking = code !== undefined && !changed
  return (
    <AuthCard
      title={t('auth.action.newPassword')}
      intro={isAsking && t('auth.action.passwordOf', { email: code.email })}
    >
      {!code && !error && <Spinner className="min-h-20" />}
      {error && (
        <>
          <Problem error={error} retry={retry} />
          <ButtonLink to={paths.resetPassword} variant="primary" size="large">
            {t('auth.action.newResetLink')}
          </ButtonLink>
        </>
      )}
      {isAsking && (
        <NewPasswordForm
          oobCode={oobCode}
          email={code.email}
          providers={code.providers ?? []}
          onDone={() => setChanged(true)}
        />
      )}
      {changed && (
        <>
          <LiveRegion>
            <Message tone="good">{t('auth.action.passwordChanged')}</Message>
          </LiveRegion>
          <ButtonLink
            to={paths.signIn}
            state={{ email: code?.email }}
            variant="primary"
            size="large"
          >
            {t('auth.signIn')}
          </ButtonLink>
        </>
      )}
    </AuthCard>
  )
}

type FormProps = { oobCode: string; email: string; providers: string[]; onDone: () => void }

function NewPasswordForm({ oobCode, email, providers, onDone }: FormProps) {
  const t = useT()
  const format = useFormat()
  return (
    <CallForm
      call="confirmPasswordReset"
      input={(values) => ({
        oobCode,
        newPassword: textOf(values, 'newPassword'),
        unlinkProviders: values.has('unlinkProviders'),
      })}
      check={samePasswords}
      submit="auth.action.savePassword"
      failed="auth.action.passwordFailed"
      onDone={onDone}
      wide
    >
      <NewPasswordFields email={email} />
      {providers.length > 0 && (
        <div>
          <p>
            {t('auth.action.otherWays', { providers: format.list(providers.map(providerLabel)) })}
          </p>
          <Checkbox name="unlinkProviders">{t('auth.action.unlinkProviders')}</Checkbox>
        </div>
      )}
    </CallForm>
  )
}
