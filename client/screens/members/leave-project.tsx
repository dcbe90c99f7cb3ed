import { paths } from '#contract/paths.ts'
import { useRef } from 'react'
import { matchPath, useNavigate } from 'react-router'
import { endLeaving, isLeaving } from '../../api/call.ts'
import { CallForm } from '../../components/call-form.tsx'
import { DialogCancel } from '../../components/dialog-cancel.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { toast } from '../../toasts.ts'

/** Asks, leaves, and goes to the dashboard. */
export function LeaveProject({ onClose }: { onClose: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const { subscription, name: project, isActive, whenGone } = useProject()
  const dialog = useRef<HTMLDialogElement>(null)

  async function goAway() {
    // What is on screen belongs to the project: only when it has gone is it safe to ask again.
    whenGone(() => setTimeout(endLeaving))
    toast(t('people.leave.done', { project }))
    const isInside =
      matchPath(`${paths.subscription}/*`, window.location.pathname)?.params.id === subscription.id
    if (isInside) await navigate(paths.dashboard, { replace: true })
  }

  return (
    <Dialog ref={dialog} title={t('people.leave.title', { project })} onClose={onClose}>
      <div className="grid gap-3">
        <CallForm
          call="leaveSubscription"
          input={() => ({ subscriptionId: subscription.id })}
          submit="people.leave.action"
          failed="people.leave.failed"
          // The question was put away and asked again before there was an answer.
          holdBack={isLeaving}
          onDone={goAway}
          danger
          wide
        >
          <p className="text-soft">
            {t(isActive ? 'people.leave.text' : 'people.leave.textCanceled')}
          </p>
        </CallForm>
        <DialogCancel dialog={dialog} />
      </div>
    </Dialog>
  )
}
