import { adminPermissions, defaultPermission, holds, permissionEntries } from '#contract/access.ts'
import { paths, projectPath } from '#contract/paths.ts'
import type { Subscription } from '#contract/entities.ts'
import { useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { useSession } from '../api/use-session.tsx'
import { logError } from '../log.ts'
import type { News } from '../layouts/use-news.ts'
import { useProject } from '../layouts/use-project.ts'
import { Canceled } from '../screens/billing/canceled.tsx'

type Wanted = { any?: readonly string[]; all?: readonly string[]; owner?: boolean }

export function OfMembers() {
  return <RequireAccess any={[defaultPermission]} />
}

export function OfAdmins() {
  return <RequireAccess any={adminPermissions} />
}

export function OfOwner() {
  const { pathname } = useLocation()
  return <OwnerScreen key={pathname} />
}

/** What is done on such a screen may end what let its visitor in: it stays, says that it is done, and leaves by itself. */
function OwnerScreen() {
  const { isOwner, isActive } = useProject()
  const [before] = useState({ isOwner, isActive })
  if (!before.isOwner) return <RequireAccess owner />
  return before.isActive ? <Outlet /> : <Canceled />
}

/**
 * Shows the screen to people with the wanted permissions. Others go to their dashboard, which says who may open the screen. Somebody who
 * loses the permissions while the screen is open goes to the project's own page, with a message, or home if that page is closed to them
 * too. This is a courtesy: the server checks every call.
 */
export function RequireAccess(wanted: Wanted) {
  const { user } = useSession()
  const { subscription } = useProject()
  const isIn = mayEnter(wanted, subscription, user.uid)
  const [wasIn] = useState(isIn)
  if (isIn) return <Outlet />
  if (!wasIn) {
    const news: News = { turnedAway: wanted.owner ? 'ownerOnly' : 'adminOnly' }
    return <Navigate to={paths.dashboard} state={news} replace />
  }
  if (!mayEnter({ any: [defaultPermission] }, subscription, user.uid))
    return <Navigate to={paths.home} replace />
  const news: News = { demoted: true }
  return <Navigate to={projectPath('subscription', subscription.id)} state={news} replace />
}

function mayEnter({ any, all, owner }: Wanted, subscription: Subscription, uid: string) {
  if (owner && subscription.owner_id !== uid) return false
  return (
    (!any || any.some((name) => isHeld(name, subscription, uid))) &&
    (!all || all.every((name) => isHeld(name, subscription, uid)))
  )
}

function isHeld(name: string, subscription: Subscription, uid: string) {
  const known = permissionEntries.find(([key]) => key === name)
  if (!known) logError(`Unknown permission: ${name}`)
  return known !== undefined && holds(subscription, uid, known[0])
}
