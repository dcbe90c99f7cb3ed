import { paths } from '#contract/paths.ts'
import { session, useSession } from '../../api/session.ts'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { TextField } from '../../components/fields.tsx'
import { useUndoable } from '../../layouts/use-undoable.ts'
import { useT } from '../../platform/i18n.ts'

export function EditName() {
  const t = useT()
  const { user } = useSession()
  const sayUndoable = useUndoable()

  function offerUndo() {
    const now = session.get()
    if (now.status !== 'signedIn' || now.user.displayName === user.displayName) return
    const said = t('profile.nameNowSaved', { name: now.user.displayName })
    sayUndoable(said, 'updateProfile', { displayName: user.displayName })
  }

  return (
    <FormPage title="profile.editName">
      <CallForm
        call="updateProfile"
        submit="profile.saveName"
        done="profile.nameSaved"
        failed="profile.nameFailed"
        then={paths.profile}
        focused
        onDone={offerUndo}
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
