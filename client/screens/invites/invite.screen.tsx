import { useSearchParams } from 'react-router'
import { useSession } from '../../api/use-session.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Message } from '../../components/message.tsx'
import { Segments } from '../../components/segments.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { VerifyEmailNote } from '../profile/send-verification.tsx'
import { InviteOne } from './invite-one.tsx'
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
