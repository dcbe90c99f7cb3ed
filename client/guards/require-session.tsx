import { paths } from '#contract/paths.ts'
import { useDeferredValue, useState, type ReactNode } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { refreshSession, useVisitor } from '../api/session.ts'
import { Button } from '../components/button.tsx'
import { useT } from '../platform/i18n.ts'
import { AuthCard } from '../layouts/auth-layout.tsx'
import { returnPath, withReturn } from '../platform/return-path.ts'

/**
 * Sends visitors to sign in, and then back to this screen unless they have just signed out. Shows
 * `loading` until the user is known: only browsers with a session have to wait for that.
 */
export function RequireSignedIn({ loading }: { loading: ReactNode }) {
  const session = useVisitor()
  // React draws what is deferred in small steps, so that the page reacts to the user in between.
  const wasLoading = useDeferredValue(session.status === 'loading')
  const { pathname, search, hash } = useLocation()
  if (session.status === 'loading' || (session.status === 'signedIn' && wasLoading)) return loading
  if (session.status === 'unreachable') return <Unreachable />
  if (session.status === 'signedOut') {
    const here = pathname + search + hash
    const to = session.because === 'left' ? paths.signIn : withReturn(paths.signIn, here)
    return <Navigate to={to} replace />
  }
  return <Outlet />
}

/**
 * For screens where nobody is signed in. Signed-in people go on to the screen they wanted, with the
 * code of a mailed link if that screen has one. `isAsked` tells it that they signed in for it.
 */
export function RequireSignedOut() {
  const isSignedIn = useVisitor().status === 'signedIn'
  const [isAsked] = useState(!isSignedIn)
  const { search, state } = useLocation()
  if (!isSignedIn) return <Outlet />
  return <Navigate to={returnPath(search)} state={{ isAsked, ...state }} replace />
}

/** Shown if this browser has a session but can't reach the server to load its user. */
function Unreachable() {
  const t = useT()
  return (
    <div className="grid min-h-dvh">
      <AuthCard title={t('common.unreachableTitle')}>
        <p className="text-soft">{t('errors.network')}</p>
        <Button variant="primary" size="large" onClick={() => void refreshSession()}>
          {t('common.tryAgain')}
        </Button>
      </AuthCard>
    </div>
  )
}
