import { isAdmin } from '#contract/access.ts'
import type { Subscription } from '#contract/entities.ts'
import { paths, projectPath } from '#contract/paths.ts'
import { ChartNoAxesColumn, CreditCard, Settings, Users } from 'lucide-react'
import { Navigate, useLocation, useParams } from 'react-router'
import { useCall } from '../api/queries.tsx'
import { useSession } from '../api/use-session.tsx'
import { FullScreenSpinner } from '../components/spinner.tsx'
import { projectsItem } from './main-layout.tsx'
import { PaymentBanner } from './payment-banner.tsx'
import { Shell, type MenuItem } from './shell.tsx'
import { ProjectProvider } from './use-project.ts'

/** The frame of one project: loads it, and gives it to the screens inside. What cannot be loaded sends the visitor home. */
export function SubscriptionLayout() {
  const { id } = useParams()
  const { pathname } = useLocation()
  const { user } = useSession()
  const { data, error } = useCall('getSubscription', { subscriptionId: id! })
  if (data) {
    return (
      <ProjectProvider value={data.subscription}>
        <Shell menu={menuOf(data.subscription, user.uid, pathname)} banner={<PaymentBanner />} />
      </ProjectProvider>
    )
  }
  if (error) return <Navigate to={paths.dashboard} state={{ problem: error.reason }} replace />
  return <FullScreenSpinner />
}

function menuOf(subscription: Subscription, uid: string, pathname: string): MenuItem[] {
  const { id } = subscription
  const elsewhere = /\/(users|billing|settings)(\/|$)/.test(pathname)
  const forEveryone: MenuItem[] = [
    projectsItem,
    { to: projectPath('subscription', id), label: 'layout.dashboard', icon: ChartNoAxesColumn, current: !elsewhere },
  ]
  if (!isAdmin(subscription, uid)) return forEveryone
  return [
    ...forEveryone,
    { to: projectPath('users', id), label: 'layout.users', icon: Users },
    { to: projectPath('billing', id), label: 'layout.billing', icon: CreditCard },
    { to: projectPath('settings', id), label: 'layout.settings', icon: Settings },
  ]
}
