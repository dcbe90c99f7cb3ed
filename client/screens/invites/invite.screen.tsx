import { defaultPermission } from '#contract/access.ts'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useSession } from '../../api/use-session.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Message } from '../../components/message.tsx'
import { PermissionBoxes } from '../../components/permission-boxes.tsx'
import { Segments } from '../../components/segments.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../components/text-of.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { VerifyEmailNote } from '../profile/send-verification.tsx'
import { InviteSeveral } from './invite-several.tsx'

/** `?several` in the address shows the form for a list of people. */
export function Invite() {
  const t = useT()
  const { user } = useSession()
  const { isActive, pathTo } = useProject()
  const here = pathTo('invite')
  const several = useSearchParams()[0].has('several')
  return (
    <FormPage title={several ? 'users.inviteSeveral' : 'users.invite'} intro="users.inviteIntro">
      {!isActive && <Message tone="neutral">{t('errors.subscriptionCanceled')}</Message>}
      {isActive && !user.emailVerified && <VerifyEmailNote text="users.verifyToInvite" />}
      {isActive && user.emailVerified && (
        <div className="grid gap-5">
          <Segments
            label={t('users.ways')}
            segments={[
              { to: here, label: t('users.one'), current: !several },
              { to: `${here}?several`, label: t('users.several.tab'), current: several },
            ]}
          />
          {several ? <InviteSeveral /> : <InviteOne />}
        </div>
      )}
    </FormPage>
  )
}

function InviteOne() {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const [permissions, setPermissions] = useState([defaultPermission])

  return (
    <CallForm
      call="createInvite"
      input={(values) => ({
        subscriptionId,
        email: textOf(values, 'email'),
        name: textOf(values, 'name').trim() || undefined,
        permissions,
      })}
      submit="users.sendInvitation"
      done="users.invitationSent"
      failed="users.inviteFailed"
      then={pathTo('users')}
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
