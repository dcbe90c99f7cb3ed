import { isAdmin } from '#contract/access.ts'
import type { Subscription } from '#contract/entities.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { ChartNoAxesColumn, CreditCard, History, Settings, Users } from 'lucide-react'
import { Navigate, useLocation, useParams } from 'react-router'
import { useCall } from '../api/queries.tsx'
import { useSession } from '../api/use-session.tsx'
import { TitleOf } from '../components/page-title.tsx'
import { FullScreenSpinner } from '../components/spinner.tsx'
import { useT } from '../i18n.ts'
import { AccessDenied } from '../screens/subscriptions/access-denied.tsx'
import { projectsItem } from './main-layout.tsx'
import { ProjectNotices } from './project-notices.tsx'
import { Shell, type MenuItem } from './shell.tsx'
import type { News } from './use-news.ts'
import { ProjectProvider, projectTitle } from './use-project.ts'

/**
 * The frame of one project: loads it, and gives it to the screens inside. Somebody who is not in the project reads so on its address. Somebody
 * who is taken out of it while it is open goes home, and home says so; so do visitors of a project that cannot be loaded.
 */
export function SubscriptionLayout() {
  const t = useT()
  const { id } = useParams()
  const { pathname } = useLocation()
  const { user } = useSession()
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
          <Shell menu={menuOf(data.subscription, user.uid, pathname)} banner={<ProjectNotices />} />
        </TitleOf>
      </ProjectProvider>
    )
  }
  if (isDenied && !isGone) {
    return (
      <Shell menu={[projectsItem]}>
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

function menuOf(subscription: Subscription, uid: string, pathname: string): MenuItem[] {
  const { id } = subscription
  const elsewhere = /\/(users|billing|settings|activity)(\/|$)/.test(pathname)
  const forEveryone: MenuItem[] = [
    projectsItem,
    {
      to: projectPath('subscription', id),
      label: 'layout.dashboard',
      icon: ChartNoAxesColumn,
      current: !elsewhere,
    },
  ]
  if (!isAdmin(subscription, uid)) return forEveryone
  return [
    ...forEveryone,
    { to: projectPath('users', id), label: 'layout.users', icon: Users },
    { to: projectPath('billing', id), label: 'layout.billing', icon: CreditCard },
    { to: projectPath('settings', id), label: 'layout.settings', icon: Settings },
    { to: projectPath('activity', id), label: 'layout.activity', icon: History },
  ]
}
