import { paths } from '#contract/paths.ts'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { signInAgain, tellOfChange } from '../api/call.ts'
import { useCall } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { EmptyState } from '../components/card.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { problemText } from '../components/message.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { useOwnFactors } from '../components/second-step-fields.tsx'
import { useT } from '../platform/i18n.ts'
import { toast, toastFailure } from '../platform/toasts.ts'
import { projectTitle } from './use-project.ts'

/** Stands in the place of a project's screens until the session has passed a second step. */
export function ShutProject({ id }: { id: string }) {
  const t = useT()
  const { user } = useSession()
  const own = useOwnFactors()
  const { data } = useCall('listSubscriptions', {})
  const [isLeaving, setLeaving] = useState(false)
  const project = data?.subscriptions.find((project) => project.id === id)
  const canPass = own.isOn || own.hasPasskey

  async function pass() {
    if (await signInAgain(true)) tellOfChange()
  }

  return (
    <>
      <PageTitle title={t('project.shut.title')} intro={project && projectTitle(project, t)} />
      <EmptyState
        icon={<Lock />}
        action={
          !own.isPending && (
            <div className="flex flex-wrap justify-center gap-2">
              {canPass ? (
                <Button variant="primary" onClick={() => void pass()}>
                  {t('project.shut.pass')}
                </Button>
              ) : (
                <ButtonLink to={paths.profile} variant="primary">
                  {t('project.shut.setUp')}
                </ButtonLink>
              )}
              {project && project.owner_id !== user.uid && (
                <Button onClick={() => setLeaving(true)}>{t('people.leave.action')}</Button>
              )}
            </div>
          )
        }
      >
        {!own.isPending && t(canPass ? 'project.shut.text' : 'project.shut.textWithout')}
      </EmptyState>
      {isLeaving && project && (
        <Leave id={id} name={projectTitle(project, t)} onClose={() => setLeaving(false)} />
      )}
    </>
  )
}

type LeaveProps = { id: string; name: string; onClose: () => void }

/** Opens the dashboard first, because afterwards this place would say that access is denied. */
function Leave({ id, name, onClose }: LeaveProps) {
  const t = useT()
  const navigate = useNavigate()

  async function input() {
    await navigate(paths.dashboard, { replace: true })
    return { subscriptionId: id }
  }

  function finish() {
    toast(t('people.leave.done', { project: name }))
    return ''
  }

  return (
    <ConfirmDialog
      call="leaveSubscription"
      title={t('people.leave.title', { project: name })}
      input={input}
      submit="people.leave.action"
      onRefused={(error) => toastFailure(t('people.leave.failed'), problemText(error, t))}
      onDone={finish}
      onClose={onClose}
    >
      <p className="text-soft">{t('people.leave.text')}</p>
    </ConfirmDialog>
  )
}
