import { paths } from '#contract/paths.ts'
import { useSession } from '../../api/session.ts'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { TextField } from '../../components/fields.tsx'

export function EditName() {
  const { user } = useSession()
  return (
    <FormPage title="profile.editName">
      <CallForm
        call="updateProfile"
        submit="profile.saveName"
        done="profile.nameSaved"
        failed="profile.nameFailed"
        then={paths.profile}
      >
        <TextField
          // A name that is saved elsewhere meanwhile replaces what the field shows.
          key={user.displayName}
          name="displayName"
          label="profile.name"
          autoComplete="name"
          defaultValue={user.displayName}
          maxLength={100}
          required
        />
      </CallForm>
    </FormPage>
  )
}
