import { paths } from '#contract/paths.ts'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { signInAgain, tellOfChange, useAction } from '../api/call.ts'
import { useCall } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { EmptyState } from '../components/card.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { useOwnFactors } from '../components/second-step-fields.tsx'
import { useQuery } from '../components/use-query.ts'
import { sentences } from '../platform/format.ts'
import { useT } from '../platform/i18n.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { projectTitle } from './use-project.ts'
import { Breakable } from '../components/breakable.tsx'
import { LiveRegion, Problem } from '../components/message.tsx'

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
        <LeaveDialog
          subscriptionId={id}
          name={projectTitle(project, t)}
          onClose={() => setLeaving(false)}
        >
          <p className="text-soft">{t('people.leave.text')}</p>
        </LeaveDialog>
      )}
    </>
  )
}

const words = { 'auth/too-many-requests': 'project.ask.tooMany' } as const

/** Stands in the place of a project that the user is not in. A reload remembers the request. */
export function AccessDenied({ id }: { id: string }) {
  const t = useT()
  const { email } = useSession().user
  const { busy, error, run } = useAction('requestToJoin')
  const [, change] = useQuery()
  const isAsked = useLocation().state?.isAsked === true
  return (
    <>
      <PageTitle title={t('errors.accessDenied')} />
      <LiveRegion>
        <Problem error={error} failed="project.ask.failed" words={words} />
      </LiveRegion>
      <EmptyState
        icon={<Lock />}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {!isAsked && (
              <Button
                variant="primary"
                busy={busy}
                onClick={() =>
                  void run({ subscriptionId: id }, () => change(() => {}, { isAsked: true }))
                }
              >
                {t('project.ask.action')}
              </Button>
            )}
            <ButtonLink to={paths.dashboard} variant={isAsked ? 'primary' : 'plain'}>
              {t('common.toProjects')}
            </ButtonLink>
          </div>
        }
      >
        <span aria-live="polite">
          <Breakable
            text={
              isAsked
                ? t('project.ask.asked', { email })
                : sentences(t, t('project.denied', { email }), t('project.ask.text'))
            }
          />
        </span>
      </EmptyState>
    </>
  )
}
