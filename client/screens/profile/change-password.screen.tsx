import { paths } from '#contract/paths.ts'
import { useCall } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { NewPasswordFields, samePasswords } from '../../components/new-password-fields.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { textOf } from '../../components/fields.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { providerLabel } from '../../platform/runtime.ts'

/** Changes the password, or sets the first one of a user who signs in by a provider. */
export function ChangePassword() {
  const t = useT()
  const format = useFormat()
  const { user } = useSession()
  const { data, isPending } = useCall('getUser', {})
  const tokens = useCall('listAccessTokens', {})
  if (isPending) return <Spinner className="min-h-80" />
  const providers = data?.user.providers ?? []
  const isFirst = data?.user.has_password === false
  return (
    <FormPage
      title={isFirst ? 'profile.setPassword' : 'profile.changePassword'}
      intro={isFirst ? 'profile.setPasswordIntro' : 'profile.changePasswordIntro'}
    >
      <CallForm
        call="updatePassword"
        input={(values) => ({ newPassword: textOf(values, 'newPassword') })}
        check={samePasswords}
        submit="profile.savePassword"
        done={isFirst ? 'profile.passwordSet' : 'profile.passwordChanged'}
        failed="profile.passwordFailed"
        then={paths.profile}
        focused
      >
        <NewPasswordFields email={user.email} />
        {providers.length > 0 && (
          <p className="text-small text-soft">
            {t('profile.linksStay', { providers: format.list(providers.map(providerLabel)) })}
          </p>
        )}
        {tokens.data && tokens.data.accessTokens.length > 0 && (
          <p className="text-small text-soft">{t('tokens.goOn')}</p>
        )}
      </CallForm>
    </FormPage>
  )
}
