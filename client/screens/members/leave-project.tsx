import { paths } from '#contract/paths.ts'
import { useRef } from 'react'
import { matchPath, useNavigate } from 'react-router'
import type { CallError } from '../../api/post.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../components/button.tsx'
import { DialogCancel } from '../../components/confirm-dialog.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { problemText } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { toast, toastFailure } from '../../toasts.ts'

/** Leaves from the dashboard, because screens of the project would show refusals. */
export function LeaveProject({ onClose }: { onClose: (done: string) => void }) {
  const t = useT()
  const navigate = useNavigate()
  const { subscriptionId, name: project, isActive } = useProject()
  const leaving = useAction('leaveSubscription', fail)
  const dialog = useRef<HTMLDialogElement>(null)
  const goToDashboard = () => navigate(paths.dashboard, { replace: true })

  async function leave() {
    await goToDashboard()
    await leaving.run({ subscriptionId }, () => {
      toast(t('people.leave.done', { project }))
      const here = matchPath(`${paths.subscription}/*`, window.location.pathname)
      if (here?.params.id === subscriptionId) void goToDashboard()
    })
  }

  function fail(error: CallError) {
    toastFailure(t('people.leave.failed'), problemText(error, t))
  }

  return (
    <Dialog ref={dialog} title={t('people.leave.title', { project })} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-soft">
          {t(isActive ? 'people.leave.text' : 'people.leave.textCanceled')}
        </p>
        <div className="grid gap-3">
          <Button
            variant="danger-solid"
            size="large"
            busy={leaving.busy}
            onClick={() => void leave()}
          >
            {t('people.leave.action')}
          </Button>
          <DialogCancel dialog={dialog} />
        </div>
      </div>
    </Dialog>
  )
}
