import { Navigate, Outlet, useLocation } from 'react-router'
import { useVisitor } from '../api/use-session.tsx'
import { returnPath } from '../return-path.ts'

/** Signing in or up ends here: whoever is signed in goes on to where they wanted to be. */
export function RequireSignedOut() {
  const { status } = useVisitor()
  const { search } = useLocation()
  return status === 'signedIn' ? <Navigate to={returnPath(search)} replace /> : <Outlet />
}
