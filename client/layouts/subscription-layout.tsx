import { paths } from '#contract/paths.ts'
import { Lock } from 'lucide-react'
import { useParams } from 'react-router'
import { useCall } from '../api/queries.tsx'
import { useSession } from '../api/session.ts'
import { ButtonLink } from '../components/button.tsx'
import { EmptyState } from '../components/card.tsx'
import { PageTitle, TitleOf } from '../components/page-title.tsx'
import { FullScreenSpinner } from '../components/spinner.tsx'
import { useT } from '../platform/i18n.ts'
import { LeadAway } from './news.tsx'
import { ProjectNotices } from './project-notices.tsx'
import { Shell } from './shell.tsx'
import { ProjectProvider, projectTitle } from './use-project.ts'

/**
 * The frame of one project, which it loads for the screens inside. Users who are removed while it
 * is open, or for whom it can't be loaded, go to the dashboard, which says why.
 */
export function SubscriptionLayout() {
  const t = useT()
  const { id } = useParams()
  const { data, error, isFetching } = useCall('getSubscription', { subscriptionId: id! })
  const isDenied = error?.reason === 'accessDenied'
  const isGone = data && (isDenied || error?.reason === 'subscriptionNotFound')
  if (isGone) {
    if (isFetching) return <FullScreenSpinner />
    const project = projectTitle(data.subscription, t)
    return <LeadAway news={{ tone: 'warn', says: 'live.removed', words: { project } }} />
  }
  if (data) {
    return (
      <ProjectProvider key={id} value={data.subscription}>
        <TitleOf value={projectTitle(data.subscription, t)}>
          <Shell banner={<ProjectNotices />} />
        </TitleOf>
      </ProjectProvider>
    )
  }
  if (isDenied) {
    return (
      <Shell>
        <AccessDenied />
      </Shell>
    )
  }
  if (error)
    return (
      <LeadAway
        news={{ tone: 'bad', title: 'project.loadFailed', says: `errors.${error.reason}` }}
      />
    )
  return <FullScreenSpinner />
}

function AccessDenied() {
  const t = useT()
  const { user } = useSession()
  return (
    <>
      <PageTitle title={t('errors.accessDenied')} />
      <EmptyState
        icon={<Lock />}
        action={
          <ButtonLink to={paths.dashboard} variant="primary">
            {t('common.toProjects')}
          </ButtonLink>
        }
      >
        {t('project.denied', { email: user.email })}
      </EmptyState>
    </>
  )
}
