import { Navigate, Outlet, useLocation } from 'react-router'
import { useVisitor } from '../api/use-session.tsx'
import { returnPath } from '../return-path.ts'

/** A person who has signed in or up goes on from here to the screen they wanted. */
export function RequireSignedOut() {
  const { status } = useVisitor()
  const { search } = useLocation()
  return status === 'signedIn' ? <Navigate to={returnPath(search)} replace /> : <Outlet />
}
