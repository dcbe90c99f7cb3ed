import { limits } from '#config/limits.ts'
import { paths } from '#contract/paths.ts'
import { useFreshUser } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { News } from '../../layouts/news.tsx'
import { AddressField } from '../../components/address-field.tsx'
import { Breakable } from '../../components/breakable.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { useT } from '../../platform/i18n.ts'
import { VerifyEmailNote } from './send-verification.tsx'

/** Asks for a new email address, which counts once the user confirms the mailed link. */
export function EditEmail() {
  const t = useT()
  const { user } = useSession()
  useFreshUser()
  const verifyFirst = <VerifyEmailNote text="errors.auth/operation-not-allowed" />

  return (
    <FormPage title="profile.editEmail" intro="profile.editEmailIntro">
      <div className="grid gap-4">
        <News />
        {!user.emailVerified && verifyFirst}
        {user.emailVerified && !user.claimed && <VerifyEmailNote />}
        <p className="text-soft wrap-anywhere">
          <Breakable text={t('profile.presentEmail', { email: user.email })} />
        </p>
        <CallForm
          call="updateEmail"
          submit="profile.saveEmail"
          done="profile.emailChangeSent"
          failed="profile.emailFailed"
          explain={({ reason }) =>
            reason === 'auth/operation-not-allowed' ? verifyFirst : undefined
          }
          reasons={{ 'auth/too-many-requests': 'profile.tooManyVerifications' }}
          then={paths.profile}
          after={limits.screens.returnAfterEmailChange}
          focused
          disabled={!user.emailVerified}
        >
          <AddressField
            name="newEmail"
            label="profile.newEmail"
            autoComplete="email"
            maxLength={254}
            required
          />
        </CallForm>
      </div>
    </FormPage>
  )
}
