import { useCall } from '../../api/queries.ts'
import { useT } from '../../platform/i18n.ts'
import { LeaveDialog } from '../../layouts/leave-dialog.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { OwnInvitesEnd } from './keep-invites.tsx'

/** Says what the user loses by leaving the open project, and which invitations of theirs end. */
export function LeaveProject({ onClose }: { onClose: (done: string) => void }) {
  const t = useT()
  const { subscriptionId, name, isActive } = useProject()
  const { data } = useCall('listSentInvites', {})
  const sent = data?.invites.filter((invite) => invite.subscription_id === subscriptionId) ?? []
  return (
    <LeaveDialog {...{ subscriptionId, name, onClose }}>
      <p className="text-soft">{t(isActive ? 'people.leave.text' : 'people.leave.textCanceled')}</p>
      <OwnInvitesEnd count={sent.length} />
    </LeaveDialog>
  )
}
