import { paths } from '#contract/paths.ts'
import { Navigate, Outlet, useLocation } from 'react-router'
import { SignedInUserProvider, useVisitor } from '../api/use-session.tsx'
import { FullScreenSpinner } from '../components/spinner.tsx'
import { withReturn } from '../return-path.ts'
import { Unreachable } from './unreachable.tsx'

/** Sends visitors to sign in and back afterwards, but not those who have just signed out. */
export function RequireSignedIn() {
  const session = useVisitor()
  const { pathname, search, hash } = useLocation()
  if (session.status === 'loading') return <FullScreenSpinner />
  if (session.status === 'unreachable') return <Unreachable />
  if (session.status === 'signedOut')
    return (
      <Navigate
        to={
          session.because === 'left'
            ? paths.signIn
            : withReturn(paths.signIn, pathname + search + hash)
        }
        replace
      />
    )
  return (
    <SignedInUserProvider value={session.user}>
      <Outlet />
    </SignedInUserProvider>
  )
}
