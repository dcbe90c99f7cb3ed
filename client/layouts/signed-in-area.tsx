import { Outlet } from 'react-router'
import { LiveUpdates } from '../api/live-updates.tsx'
import { QueryProvider } from '../api/queries.tsx'
import { useSession } from '../api/use-session.tsx'
import { Reauthentication } from '../screens/identity/reauthentication.tsx'

/** What one person read is not for the next. */
export function SignedInArea() {
  const { user } = useSession()
  return (
    <QueryProvider key={user.uid}>
      <LiveUpdates />
      <Outlet />
      <Reauthentication />
    </QueryProvider>
  )
}
