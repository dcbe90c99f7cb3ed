import { paths } from '#contract/paths.ts'
import { useCall } from '../../api/queries.tsx'
import { useSession } from '../../api/session.ts'
import { CallForm, FormPage } from '../../components/call-form.tsx'
import { NewPasswordFields, samePasswords } from '../../components/new-password-fields.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { textOf } from '../../components/fields.tsx'

/** Changes the password, or sets the first one of a user who signs in by a provider. */
export function ChangePassword() {
  const { user } = useSession()
  const { data, isPending } = useCall('getUser', {})
  if (isPending) return <Spinner className="min-h-80" />
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
      >
        <NewPasswordFields email={user.email} />
      </CallForm>
    </FormPage>
  )
}
