import { paths } from '#contract/paths.ts'
import { matchPath, useNavigate } from 'react-router'
import { useCall } from '../../api/queries.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { problemText } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { toast, toastFailure } from '../../platform/toasts.ts'
import { OwnInvitesEnd } from './keep-invites.tsx'

/** Opens the dashboard first, because the project's screens would show refusals afterwards. */
export function LeaveProject({ onClose }: { onClose: (done: string) => void }) {
  const t = useT()
  const navigate = useNavigate()
  const { subscriptionId, name: project, isActive } = useProject()
  const { data } = useCall('listSentInvites', {})
  const sent = data?.invites.filter((invite) => invite.subscription_id === subscriptionId) ?? []
  const goToDashboard = () => navigate(paths.dashboard, { replace: true })

  async function input() {
    await goToDashboard()
    return { subscriptionId }
  }

  function finish() {
    toast(t('people.leave.done', { project }))
    const here = matchPath(`${paths.subscription}/*`, window.location.pathname)
    if (here?.params.id === subscriptionId) void goToDashboard()
    return ''
  }

  return (
    <ConfirmDialog
      call="leaveSubscription"
      title={t('people.leave.title', { project })}
      input={input}
      submit="people.leave.action"
      onRefused={(error) => toastFailure(t('people.leave.failed'), problemText(error, t))}
      onDone={finish}
      onClose={onClose}
    >
      <p className="text-soft">{t(isActive ? 'people.leave.text' : 'people.leave.textCanceled')}</p>
      <OwnInvitesEnd count={sent.length} />
    </ConfirmDialog>
  )
}
