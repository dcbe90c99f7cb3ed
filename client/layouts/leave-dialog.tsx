import { paths } from '#contract/paths.ts'
import type { ReactNode } from 'react'
import { matchPath, useNavigate } from 'react-router'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { problemText } from '../components/message.tsx'
import { useT } from '../platform/i18n.ts'
import { toastFailure } from '../platform/toasts.ts'

type LeaveDialogProps = {
  subscriptionId: string
  /** The project's name. */
  name: string
  /** What follows from leaving. */
  children: ReactNode
  onClose: (done: string) => void
}

/** Opens the dashboard first, because the project's screens would show refusals afterwards. */
export function LeaveDialog(props: LeaveDialogProps) {
  const { subscriptionId, name: project, children, onClose } = props
  const t = useT()
  const navigate = useNavigate()
  const goToDashboard = () => navigate(paths.dashboard, { replace: true })

  async function input() {
    await goToDashboard()
    return { subscriptionId }
  }

  function finish() {
    const here = matchPath(`${paths.subscription}/*`, window.location.pathname)
    if (here?.params.id === subscriptionId) void goToDashboard()
  }

  return (
    <ConfirmDialog
      call="leaveSubscription"
      title={t('people.leave.title', { project })}
      input={input}
      submit="people.leave.action"
      onRefused={(error) => toastFailure(t('people.leave.failed'), problemText(error, t))}
      said={t('people.leave.done', { project })}
      onDone={finish}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  )
}
