import { defaultPermission } from '#contract/access.ts'
import { useState } from 'react'
import { CallForm } from '../../components/call-form.tsx'
import { PermissionBoxes } from '../../components/permission-boxes.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../components/text-of.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'

export function InviteOne() {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const [permissions, setPermissions] = useState([defaultPermission])
  const users = pathTo('users')

  function input(values: FormData) {
    const name = textOf(values, 'name').trim()
    return {
      subscriptionId,
      email: textOf(values, 'email'),
      permissions,
      ...(name && { name }),
    }
  }

  return (
    <CallForm
      call="createInvite"
      input={input}
      submit="users.sendInvitation"
      done="users.invitationSent"
      failed="users.inviteFailed"
      then={users}
      cancel={users}
    >
      <TextField name="name" label="users.name" autoComplete="off" maxLength={100} />
      <TextField name="email" type="email" label="users.email" autoComplete="off" required />
      <PermissionBoxes
        legend={t('users.permissions')}
        chosen={permissions}
        onChoose={setPermissions}
      />
    </CallForm>
  )
}
