import type { PermissionKey } from '#config/permissions.ts'
import { defaultPermission, permissionEntries } from '#contract/access.ts'
import { projectPath } from '#contract/paths.ts'
import { CallForm } from '../../components/call-form.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Message } from '../../components/message.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../components/text-of.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'

export function Invite() {
  const t = useT()
  const { subscription, isActive } = useProject()
  const users = projectPath('users', subscription.id)

  function input(values: FormData) {
    const name = textOf(values, 'name').trim()
    return {
      subscriptionId: subscription.id,
      email: textOf(values, 'email'),
      permissions: [defaultPermission, ...(values.getAll('permissions') as PermissionKey[])],
      ...(name && { name }),
    }
  }

  return (
    <FormPage title="users.invite" intro="users.inviteIntro">
      {isActive ? (
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
          <fieldset>
            <legend className="mb-1 text-small font-strong">{t('users.permissions')}</legend>
            {permissionEntries.map(([key, { label, default: always }]) => (
              <Checkbox key={key} name="permissions" value={key} defaultChecked={always} disabled={always}>
                {t(label)}
              </Checkbox>
            ))}
          </fieldset>
        </CallForm>
      ) : (
        <Message tone="neutral">{t('errors.subscriptionCanceled')}</Message>
      )}
    </FormPage>
  )
}
