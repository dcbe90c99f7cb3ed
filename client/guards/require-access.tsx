import { adminPermissions, defaultPermission, holds, permissionEntries } from '#contract/access.ts'
import { paths } from '#contract/paths.ts'
import type { Subscription } from '#contract/entities.ts'
import { Navigate, Outlet } from 'react-router'
import { useSession } from '../api/use-session.tsx'
import { logError } from '../log.ts'
import { useProject } from '../layouts/use-project.ts'

type Wanted = { any?: readonly string[]; all?: readonly string[]; owner?: boolean }

export function OfMembers() {
  return <RequireAccess any={[defaultPermission]} />
}

export function OfAdmins() {
  return <RequireAccess any={adminPermissions} />
}

/** Lets in whom the project's permissions let in; everybody else goes home. The server has the last word. */
export function RequireAccess(wanted: Wanted) {
  const { user } = useSession()
  const { subscription } = useProject()
  return mayEnter(wanted, subscription, user.uid) ? <Outlet /> : <Navigate to={paths.home} replace />
}

function mayEnter({ any, all, owner }: Wanted, subscription: Subscription, uid: string) {
  if (owner && subscription.owner_id !== uid) return false
  return (!any || any.some((name) => isHeld(name, subscription, uid))) && (!all || all.every((name) => isHeld(name, subscription, uid)))
}

function isHeld(name: string, subscription: Subscription, uid: string) {
  const known = permissionEntries.find(([key]) => key === name)
  if (!known) logError(`Unknown permission: ${name}`)
  return known !== undefined && holds(subscription, uid, known[0])
}
