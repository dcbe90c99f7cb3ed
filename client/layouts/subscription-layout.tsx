import { paths } from '#contract/paths.ts'
import { Navigate, useParams } from 'react-router'
import { useCall } from '../api/queries.tsx'
import { TitleOf } from '../components/page-title.tsx'
import { FullScreenSpinner } from '../components/spinner.tsx'
import { useT } from '../i18n.ts'
import { AccessDenied } from './access-denied.tsx'
import { ProjectNotices } from './project-notices.tsx'
import { Shell } from './shell.tsx'
import type { News } from './use-news.ts'
import { ProjectProvider, projectTitle } from './use-project.ts'

/**
 * The frame of one project: loads it, and gives it to the screens inside. On the address of a
 * project that somebody is not in, it says so. Somebody who is removed while the project is open
 * goes to the dashboard, which says so; so does a visitor whose project cannot be loaded.
 */
export function SubscriptionLayout() {
  const t = useT()
  const { id } = useParams()
  const { data, error, isFetching } = useCall('getSubscription', { subscriptionId: id! })
  const isDenied = error?.reason === 'accessDenied'
  const isGone = data && (isDenied || error?.reason === 'subscriptionNotFound')
  if (isGone && !isFetching) {
    const news: News = { removed: projectTitle(data.subscription, t) }
    return <Navigate to={paths.dashboard} state={news} replace />
  }
  if (data && !isGone) {
    return (
      <ProjectProvider key={id} value={data.subscription}>
        <TitleOf value={projectTitle(data.subscription, t)}>
          <Shell banner={<ProjectNotices />} />
        </TitleOf>
      </ProjectProvider>
    )
  }
  if (isDenied && !isGone) {
    return (
      <Shell>
        <AccessDenied />
      </Shell>
    )
  }
  if (error && !isGone)
    return (
      <Navigate to={paths.dashboard} state={{ notLoaded: error.reason } satisfies News} replace />
    )
  return <FullScreenSpinner />
}
